//! Fuzzes two files that may be related.
#![no_main]

anim_formats_fuzz::fuzz!(SEVERAL);
