import type { Models } from '@modelwire/core'

/** The user of the access token that a call came with. A client that acts for itself has none. */
function userOf(options: Readonly<Record<string, unknown>>): string | undefined {
  const { accessToken: token } = options
  const userId = typeof token === 'object' && token !== null && 'userId' in token ? token.userId : undefined
  return userId === undefined ? undefined : String(userId)
}

/** Keeps the notes of users apart: each writes and reads their own. */
export function keepApart({ Note }: Models): void {
  Note.observe('before save', ({ instance, options }) => {
    const userId = userOf(options)
    if (instance !== undefined && userId !== undefined) instance.userId = userId
  })
  Note.observe('access', ({ query, options }) => {
    const userId = userOf(options)
    if (query !== undefined && userId !== undefined) query['where'] = { and: [query['where'] ?? {}, { userId }] }
  })
}
