import type { LikeToken } from '../contract/comparison.ts'

/** The parts of a like text. A backslash before `%`, `_` or itself takes their meaning away. */
export function readLikeTokens(like: string): readonly LikeToken[] {
  const pieces = like.match(/\\[%_\\]|[^]/gu) ?? []
  const tokens: LikeToken[] = []
  for (const piece of pieces) addPiece(tokens, piece)
  return tokens
}

function addPiece(tokens: LikeToken[], piece: string): void {
  const wildcard = wildcards.get(piece)
  if (wildcard !== undefined) {
    tokens.push(wildcard)
    return
  }
  const text = piece.length === 2 && piece.startsWith('\\') ? piece.slice(1) : piece
  const last = tokens.at(-1)
  if (last?.kind === 'text') tokens[tokens.length - 1] = { kind: 'text', text: last.text + text }
  else tokens.push({ kind: 'text', text })
}

const wildcards: ReadonlyMap<string, LikeToken> = new Map<string, LikeToken>([
  ['%', { kind: 'any' }],
  ['_', { kind: 'one' }]
])
