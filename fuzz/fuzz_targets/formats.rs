//! Fuzzes one file in any format.
#![no_main]

anim_formats_fuzz::fuzz!(FORMATS);
