/** Texts, names and comments, in which a semicolon ends nothing. */
const opaque = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[^]*?(?:\*\/|$)/g

/** False for a text with another statement behind the first one. The statements of a trigger are parts of it. */
export function isOneStatement(text: string): boolean {
  const plain = text.replaceAll(opaque, (part) => (part.startsWith('--') || part.startsWith('/*') ? ' ' : 'x'))
  if (/^\s*create\s+(?:temp(?:orary)?\s+)?trigger\b/i.test(plain)) return !/;\s*end\s*;+[^;]*[^;\s]/i.test(plain)
  return !/;[^;]*[^;\s]/.test(plain)
}
