//! Fuzzes edits of a file.
#![no_main]

anim_formats_fuzz::fuzz!(EDITS);
