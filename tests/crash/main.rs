//! Faults, kills and power cuts at every step of what is written: it opens again with everything that was reported as
//! decided, and with no half state.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test stops where it cannot go on")]

#[path = "../support/house.rs"]
#[expect(dead_code, reason = "these tests use a part of it")]
mod house;
#[path = "../support/power.rs"]
mod power;
#[path = "../support/stores.rs"]
mod stores;
#[path = "../support/strike.rs"]
mod strike;

mod consents;
mod kills;
mod renames;
mod writes;

impl strike::Ground for stores::Ground {
    fn whole(&self) -> std::path::PathBuf {
        self.path("")
    }
}

impl strike::Ground for house::House {
    fn whole(&self) -> std::path::PathBuf {
        self.folder()
    }
}
