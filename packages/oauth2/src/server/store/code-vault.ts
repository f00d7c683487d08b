import type { ModelClass } from '@modelwire/core'
import { type Extras, factsOf, type GrantFacts, parameterOf, toColumns, toParameters } from './grant-facts.ts'
import { recordOf, textOf } from './records.ts'
import { hashToken } from './secrets.ts'

/** A code to store. */
interface NewCode {
  readonly value: string
  readonly facts: GrantFacts
  /** As given in the authorization request; absent if it gave none. */
  readonly redirectUri: string | undefined
  /** PKCE S256. */
  readonly challenge: string | undefined
}

/** A stored code. */
export interface FoundCode {
  readonly facts: GrantFacts
  readonly redirectUri: string | undefined
  readonly challenge: string | undefined
  readonly used: boolean
  /** Marks the code as used; true for only one of concurrent callers. */
  use(): Promise<boolean>
  /** Marks the code as used again, so that tokens still being issued for it are revoked. */
  markStolen(): Promise<void>
  /** Marks a used code as unused, if nothing came of it and it was not used again. */
  giveBack(): Promise<void>
  /** False once the code was used again, or revoked. */
  stands(): Promise<boolean>
}

/** Stores authorization codes. */
export interface CodeVault {
  save(code: NewCode): Promise<void>
  find(value: string): Promise<FoundCode | undefined>
  revokeUser(userId: unknown, clientId?: string): Promise<void>
  revokeClient(clientId: string): Promise<void>
}

const stolen = 'used again'

/** Makes the store of authorization codes on a model. The hash of a code identifies the family of its tokens. */
export function makeCodeVault(codes: () => ModelClass): CodeVault {
  const find = async (value: string): Promise<FoundCode | undefined> => {
    const id = hashToken(value)
    const found = await codes().findOne({ where: { id } })
    if (found === null) return undefined
    const record = recordOf(found)
    return {
      facts: { ...factsOf(record), family: id },
      redirectUri: textOf(record, 'redirectURI'),
      challenge: parameterOf(record, 'code_challenge'),
      used: record['used'] === true,
      use: async () => (await codes().updateAll({ id, used: false }, { used: true })).count === 1,
      markStolen: async () => void (await codes().updateAll({ id }, { hash: stolen })),
      giveBack: async () => void (await codes().updateAll({ id, used: true, hash: null }, { used: false })),
      stands: async () => {
        const now = await codes().findOne({ where: { id } })
        return now !== null && recordOf(now)['hash'] !== stolen
      }
    }
  }
  return {
    async save({ value, facts, redirectUri, challenge }) {
      const extras: Extras = { code_challenge: challenge }
      await codes().create({
        id: hashToken(value),
        ...toColumns(facts),
        parameters: toParameters(facts, extras),
        used: false,
        ...(redirectUri === undefined ? {} : { redirectURI: redirectUri })
      })
    },
    find,
    async revokeUser(userId, clientId) {
      await codes().destroyAll({ userId, ...(clientId === undefined ? {} : { appId: clientId }) })
    },
    async revokeClient(clientId) {
      await codes().destroyAll({ appId: clientId })
    }
  }
}
