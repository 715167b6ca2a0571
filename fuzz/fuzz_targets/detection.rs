//! Fuzzes format detection.
#![no_main]

anim_formats_fuzz::fuzz!(DETECTION);
