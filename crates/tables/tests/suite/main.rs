//! Tables from outside: what is in them, and folders that are not what they should be.

mod common;
mod damage;
mod values;
