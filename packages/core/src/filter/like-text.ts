import type { Anchor, LikeToken, Wildcards } from '../contract/comparison.ts'

/**
 * The text behind `like`, which matches whole texts: `%` and `_` are wildcards unless a backslash stands before them.
 * @param anywhere where the anchor leaves it to the connector: a part of a text matches
 */
export function likeText({ tokens, anchor }: Wildcards, anywhere: boolean): string {
  const { before, after } = surroundings[anchor] ?? (anywhere ? surroundings.none : surroundings.whole)
  return `${before}${tokens.map(writeToken).join('')}${after}`
}

const surroundings = {
  none: { before: '%', after: '%' },
  start: { before: '', after: '%' },
  end: { before: '%', after: '' },
  whole: { before: '', after: '' },
  connector: undefined
} as const satisfies Readonly<Record<Anchor, unknown>>

function writeToken(token: LikeToken): string {
  if (token.kind === 'text') return token.text.replaceAll(/[%_\\]/g, String.raw`\$&`)
  return token.kind === 'any' ? '%' : '_'
}
