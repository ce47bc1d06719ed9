//! Calls the library and turns its result into an exit code.

/// It gives back what became free: half of what was read at the start is dropped when the servers have answered, and glibc
/// keeps that.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    pinwatch::app::main()
}
