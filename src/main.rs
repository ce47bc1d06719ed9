//! Calls the library and turns its result into an exit code.

fn main() -> std::process::ExitCode {
    pinwatch::app::main()
}
