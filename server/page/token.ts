// The token that says who asks. It is kept by this tab alone, and never as a
// cookie.

const NAME = "slice-token";

// For a browser that lends no storage: until the page is left.
let kept: string | null = null;

// Whether a header can carry `text` as a token: printable ASCII without blanks.
export function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

export function keepToken(token: string): void {
  kept = token;
  try {
    sessionStorage.setItem(NAME, token);
  } catch {
    // The reader blocks storage.
  }
}

// Null without a token.
export function keptToken(): string | null {
  let token = kept;
  try {
    token = sessionStorage.getItem(NAME) ?? kept;
  } catch {
    // The reader blocks storage.
  }
  return token !== null && isToken(token) ? token : null;
}
