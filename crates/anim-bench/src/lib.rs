//! Benchmarks, each against named peers in the same run: `cargo xtask bench`. Nothing but
//! benchmarks depends on the peers.
