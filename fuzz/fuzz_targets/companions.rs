//! Fuzzes a file and the files that it refers to.
#![no_main]

anim_formats_fuzz::fuzz!(COMPANIONS);
