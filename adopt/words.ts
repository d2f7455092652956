/** A value as the terminal shows it: what a cluster or a file holds must not steer it, nor hide or turn text around. */
export function shown(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, " ");
}

/** A word as a shell takes it. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
