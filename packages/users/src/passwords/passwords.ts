import { limitParallel } from '@modelwire/core/plugin'
import { type HashKindName, hashKinds, type HashStrength, kindOf } from './hash-kinds.ts'
import { isCutOff } from './check-password.ts'

/** Hashes passwords away from the main thread. Costs are those of bcrypt, as the user model sets them. */
export interface Passwords {
  /** The hash of a password in the form that new hashes have. */
  readonly hash: (password: string, cost: number) => Promise<string>
  /**
   * Whether a password is the one behind a hash. Without a hash the same work is done and the answer is no, so that no
   * one can measure whether there is an account.
   */
  readonly matches: (password: unknown, hashed: string | undefined, cost: number) => Promise<boolean>
  /**
   * Whether a stored hash is of another form than new ones, or was made less hard. What is not a hash is left alone.
   */
  readonly isOutdated: (hashed: string, cost: number) => boolean
}

/** How passwords are hashed. */
export interface Hashing {
  /** The form of new hashes. */
  readonly kind: HashKindName
  readonly argon2: Omit<HashStrength, 'cost'>
  /** How many passwords are worked on at once; others wait, so that logins cannot take all cores. */
  readonly parallel: number
  /** LB3: of a password the first 72 bytes are compared, for accounts of before longer ones were refused. */
  readonly cutsOff: boolean
}

type Verify = (name: HashKindName, password: string, hashed: string | undefined) => Promise<boolean>

/** Makes the function that compares; without a hash it does the same work on a dummy hash. */
function makeVerify(strengthOf: (cost: number) => HashStrength): (cost: number) => Verify {
  const dummyHashes = new Map<string, Promise<string>>()
  return (cost) => async (name, password, hashed) => {
    const kind = hashKinds[name]
    if (hashed !== undefined) return kind.verify(password, hashed)
    const key = `${name} ${cost}`
    const made = dummyHashes.get(key) ?? kind.hash(crypto.randomUUID(), strengthOf(cost))
    dummyHashes.set(key, made)
    await kind.verify(password, await made)
    return false
  }
}

/** Makes a hasher. Hashes of every known form match, whatever the form of new ones. */
export function makePasswords({ kind, argon2, parallel, cutsOff }: Hashing): Passwords {
  const run = limitParallel(parallel)
  const strengthOf = (cost: number): HashStrength => ({ cost, ...argon2 })
  const verifyAt = makeVerify(strengthOf)
  // Where accounts have hashes of two forms, a failure has to take as long as both.
  const met = new Set<HashKindName>([kind])
  const compare = async (password: string, hashed: string | undefined, cost: number): Promise<boolean> => {
    const own = hashed === undefined ? undefined : kindOf(hashed)
    if (own !== undefined) met.add(own)
    const verify = verifyAt(cost)
    if (own !== undefined && (await verify(own, password, hashed))) return true
    for (const name of met) if (name !== own) await verify(name, password, undefined)
    return false
  }
  return {
    hash: (password, cost) => run(() => hashKinds[kind].hash(password, strengthOf(cost))),
    matches: async (password, hashed, cost) => {
      const plain = typeof password === 'string' ? password : ''
      const isSame = await run(() => compare(plain, hashed, cost))
      // The comparison takes constant time, so it does not reveal where the password ends.
      return isSame && plain !== '' && (cutsOff || !isCutOff(plain))
    },
    isOutdated: (hashed, cost) => {
      const own = kindOf(hashed)
      return own !== undefined && (own !== kind || hashKinds[own].isWeaker(hashed, strengthOf(cost)))
    }
  }
}
