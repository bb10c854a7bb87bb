//! What the browser keeps for a person: looks, sound, statistics. Where it keeps nothing, everything is as always.

/** @param {string} name @returns {string | null} */
export function kept(name) {
  try {
    return localStorage.getItem(`yomikiri.${name}`);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string | null} value nothing takes it away */
export function keep(name, value) {
  try {
    if (value === null) localStorage.removeItem(`yomikiri.${name}`);
    else localStorage.setItem(`yomikiri.${name}`, value);
  } catch {
    // Then it holds until the page is left.
  }
}

/** Whether the browser keeps anything at all. */
export function keeps() {
  try {
    return localStorage !== null;
  } catch {
    return false;
  }
}
