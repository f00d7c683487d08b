/** Where everything is. The authorization server and the API are processes of their own; both read the same settings. */
export const issuer = process.env['ISSUER'] ?? 'http://127.0.0.1:3000'
/** The API, as clients call it and as tokens name it. */
export const api = process.env['API'] ?? 'http://127.0.0.1:3001'

/** The port of an address. */
export const portOf = (address: string): number => Number(new URL(address).port || 80)

/** What the clients may do, in words for the consent page. */
export const scopes = {
  'notes:read': 'Read your notes',
  'notes:write': 'Write notes for you',
  'notes:count': 'Count the notes of everybody'
} as const
