//! Fuzzes writing scenes.
#![no_main]

anim_formats_fuzz::fuzz!(SCENES);
