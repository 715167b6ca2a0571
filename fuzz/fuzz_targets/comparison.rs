//! Fuzzes comparisons of scenes.
#![no_main]

anim_formats_fuzz::fuzz!(COMPARISON);
