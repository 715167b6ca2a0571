//! The canonical form: laid out like the specification's examples, with the spelling of numbers
//! kept.

use anim_ir::encoding::{keep_start, text_start};

use crate::document::Document;
use crate::tokens::{self, Input, Reject};

impl Document<'_> {
    /// Formats the document in canonical form (`docs/stt.md`), with the same content in the same
    /// order. Everything after the first syntax error is copied unchanged.
    pub fn formatted(&self) -> Vec<u8> {
        let text = self.source.trim_ascii_end();
        let mut formatter = Formatter {
            rest: text.get(text_start(text)..).unwrap_or_default(),
            out: Vec::with_capacity(text.len()),
        };
        // The error has already been reported by the reader.
        let _ = formatter.file();
        tokens::skip_blanks(&mut formatter.rest);
        let Formatter { rest, mut out } = formatter;
        if !rest.is_empty() {
            out.extend_from_slice(rest);
            out.push(b'\n');
        }
        keep_start(&mut out);
        out
    }
}

struct Formatter<'a> {
    /// The part of the input that is not yet formatted.
    rest: Input<'a>,
    out: Vec<u8>,
}

impl<'a> Formatter<'a> {
    fn file(&mut self) -> Result<(), Reject> {
        self.line::<2>()?;
        for _ in 0..self.count()? {
            self.state()?;
        }
        Ok(())
    }

    fn state(&mut self) -> Result<(), Reject> {
        self.name()?;
        match self.line::<1>()? {
            [b"SINGLE"] => {
                for _ in 0..self.count()? {
                    self.node()?;
                }
            }
            [b"KEYFRAME"] => {
                let keys = self.count()?;
                self.line::<1>()?;
                self.name()?;
                for _ in 0..keys {
                    self.key()?;
                }
            }
            _ => return Err(self.reject()),
        }
        Ok(())
    }

    fn node(&mut self) -> Result<(), Reject> {
        self.name()?;
        match self.line::<1>()? {
            [b"STATIC"] => (0..3).try_for_each(|_| self.line::<3>().map(drop)),
            [b"DYNAMIC"] => (0..9).try_for_each(|_| self.line::<3>().map(drop)),
            _ => Err(self.reject()),
        }
    }

    fn key(&mut self) -> Result<(), Reject> {
        self.line::<1>()?;
        self.line::<2>()?;
        self.line::<2>()?;
        self.name()
    }

    /// Formats a count on a separate line.
    fn count(&mut self) -> Result<i64, Reject> {
        let count = tokens::integer(&mut { self.rest })?;
        self.line::<1>()?;
        Ok(count)
    }

    /// Writes the next `N` words on one line, or nothing if fewer are left.
    fn line<const N: usize>(&mut self) -> Result<[&'a [u8]; N], Reject> {
        let mut rest = self.rest;
        let mut words: [&[u8]; N] = [b""; N];
        for word in &mut words {
            *word = tokens::word(&mut rest)?;
        }
        self.rest = rest;
        self.out.extend_from_slice(&words.join(&b' '));
        self.out.push(b'\n');
        Ok(words)
    }

    fn name(&mut self) -> Result<(), Reject> {
        let mut rest = self.rest;
        let name = tokens::name(&mut rest)?;
        self.rest = rest;
        self.out.push(b'{');
        self.out.extend_from_slice(name);
        self.out.extend_from_slice(b"}\n");
        Ok(())
    }

    fn reject(&self) -> Reject {
        Reject { rest: self.rest.len(), reason: tokens::Reason::Other }
    }
}
