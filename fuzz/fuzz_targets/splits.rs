//! Fuzzes splitting the takes of a model.
#![no_main]

anim_formats_fuzz::fuzz!(SPLITS);
