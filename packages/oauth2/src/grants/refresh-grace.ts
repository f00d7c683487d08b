import { hkdfSync } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { CompactEncrypt, compactDecrypt } from 'jose'
import { TemporarilyUnavailable } from '../http/http-errors.ts'
import type { ServerParts } from '../server-parts.ts'
import type { Issued } from '../tokens/issue-token.ts'

/** What an exchange of a refresh token gave. */
export interface Successor extends Pick<Issued, 'accessToken' | 'refreshToken' | 'extras'> {
  readonly scopes: readonly string[]
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  /** What was requested: others are not given it. */
  readonly requested: string
}

/** The times in which a refresh token that was used gives its successor again. */
export interface RefreshGrace {
  /** Starts the time of a token. False where another request did, whose successor is {@link RefreshGrace.find}. */
  readonly start: (token: string) => Promise<boolean>
  /** Keeps the successor of a token until its time is over, so that only the token itself opens it. */
  readonly keep: (token: string, successor: Successor) => Promise<void>
  /** Ends the time of a token: it has no successor. */
  readonly end: (token: string) => Promise<void>
  /**
   * The successor of a token, waited for where it is being made; undefined where the time is over, or there was none.
   * @throws {TemporarilyUnavailable} it takes too long
   */
  readonly find: (token: string) => Promise<Successor | undefined>
}

const kind = 'refreshed'
/** Milliseconds. */
const [longestWait, pause] = [5000, 50]

/** A key that only the presented token makes: the database holds no more than its hash. */
const keyOf = (token: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', token, '', 'modelwire oauth2 successor of a refresh token', 32))

const seal = (token: string, successor: Successor): Promise<string> =>
  new CompactEncrypt(new TextEncoder().encode(JSON.stringify(successor)))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(keyOf(token))

async function open(token: string, sealed: unknown): Promise<Successor> {
  const { plaintext } = await compactDecrypt(String(sealed), keyOf(token), {
    keyManagementAlgorithms: ['dir'],
    contentEncryptionAlgorithms: ['A256GCM']
  })
  return JSON.parse(new TextDecoder().decode(plaintext)) as Successor // as it was sealed above
}

/** The times after uses of refresh tokens; undefined where the server gives none. @see RFC 9700 section 4.14.2 */
export function refreshGrace({ states, settings }: Pick<ServerParts, 'states' | 'settings'>): RefreshGrace | undefined {
  const seconds = settings.options.refreshTokenGrace
  if (seconds === 0) return undefined
  return {
    // What is left of a process that ended meanwhile keeps nobody from going on.
    start: async (token) =>
      (await states.add(kind, token, null, new Date(Date.now() + seconds * 1000))) ||
      (await states.read(kind, token)) === undefined,
    keep: async (token, successor) =>
      void (await states.change(kind, token, 'new', 'made', await seal(token, successor))),
    end: (token) => states.remove(kind, token),
    async find(token) {
      for (const until = Date.now() + longestWait; ; await delay(pause)) {
        const row = await states.read(kind, token)
        if (row === undefined) return undefined
        if (row.state === 'made') return open(token, row.data)
        if (Date.now() > until) throw new TemporarilyUnavailable('the refresh token is being exchanged: try again')
      }
    }
  }
}
