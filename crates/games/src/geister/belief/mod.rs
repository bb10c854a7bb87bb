//! Three pieces against two with all colours hidden: bounds that can be checked.

pub mod certificate;
pub mod rules;
