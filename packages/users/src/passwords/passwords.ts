import { timingSafeEqual } from 'node:crypto'
import { limitParallel } from '@modelwire/server'
import { InvalidPassword, PasswordTooLong } from '../errors.ts'
import type { UsersSettings } from '../options.ts'

/** The strength of hashes. */
interface HashStrength {
  /** bcrypt: two to this power rounds. */
  readonly cost: number
  /** Argon2id: KiB of memory. */
  readonly memory: number
  /** Argon2id: number of passes over that memory. */
  readonly passes: number
}

/** A way to hash passwords. */
interface HashKind {
  /** Whether a stored string is such a hash. */
  readonly isOwn: (hashed: string) => boolean
  readonly hash: (password: string, strength: HashStrength) => Promise<string>
  readonly verify: (password: string, hashed: string) => Promise<boolean>
  /** Whether a hash of this kind is weaker than configured. */
  readonly isWeaker: (hashed: string, strength: HashStrength) => boolean
}

/** Names of the hash algorithms. */
type HashKindName = 'bcrypt' | 'argon2id'

const bcryptForm = /^\$2[aby]\$(\d\d)\$.{53}$/

const argon2Form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$[\w+/]+\$[\w+/]+$/

// Most applications use one of them.
const bcrypt = async () => import('@node-rs/bcrypt')

const loadArgon2 = async () => import('@node-rs/argon2')

const bcryptKind: HashKind = {
  isOwn: (hashed) => bcryptForm.test(hashed),
  hash: async (password, { cost }) => (await bcrypt()).hash(password, { cost, version: '2a' }),
  verify: async (password, hashed) => (await bcrypt()).verify(password, hashed),
  isWeaker: (hashed, { cost }) => (numbersIn(bcryptForm, hashed)?.[0] ?? cost) < cost
}

/** Argon2id with 16 bytes of salt and one lane. @see RFC 9106 */
const argon2Kind: HashKind = {
  isOwn: (hashed) => argon2Form.test(hashed),
  hash: async (password, { memory, passes }) =>
    (await loadArgon2()).hash(password, { memoryCost: memory, timeCost: passes, parallelism: 1 }),
  verify: async (password, hashed) => (await loadArgon2()).verify(hashed, password),
  isWeaker: (hashed, { memory, passes }) => {
    const [m = memory, t = passes] = numbersIn(argon2Form, hashed) ?? []
    return m * t < memory * passes
  }
}

/** All ways to hash, by name. */
const hashKinds: Readonly<Record<HashKindName, HashKind>> = { bcrypt: bcryptKind, argon2id: argon2Kind }

const longest = 72

/** Whether bcrypt would cut a text off, and take others for the same that begin alike. */
const isCutOff = (password: string): boolean => Buffer.byteLength(password, 'utf8') > longest

/** Hashes passwords outside of the main thread. Costs are those of bcrypt, as set by the user model. */
export interface Passwords {
  /** The hash of a password in the format of new hashes. */
  readonly hash: (password: string, cost: number) => Promise<string>
  /**
   * Whether a password matches a hash. Without a hash the same work is done and the result is false, so that timing does
   * not reveal whether an account exists.
   */
  readonly matches: (password: unknown, hashed: string | undefined, cost: number) => Promise<boolean>
  /** Whether a stored hash has another format than new ones, or is weaker. Values that are not hashes are kept. */
  readonly isOutdated: (hashed: string, cost: number) => boolean
}

/** How passwords are hashed. */
export interface Hashing {
  /** The format of new hashes. */
  readonly kind: HashKindName
  readonly argon2: Omit<HashStrength, 'cost'>
  /** Number of passwords hashed concurrently; others wait, so that logins cannot use all cores. */
  readonly parallel: number
  /** LB3: only the first 72 bytes of a password are compared, for accounts created before longer ones were refused. */
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

/** Makes a hasher. Hashes of every known format match, whatever the format of new ones. */
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

/**
 * Throws for values that cannot be a password.
 * @throws {InvalidPassword} it is empty or no text
 * @throws {PasswordTooLong} it has more than 72 bytes
 * @see LoopBack 3: loopback, common/models/user.js, validatePassword
 */
export function checkPassword(password: unknown): asserts password is string {
  if (typeof password !== 'string' || password === '')
    throw new InvalidPassword('the password must be a non-empty string')
  const length = Buffer.byteLength(password, 'utf8')
  if (length > longest) throw new PasswordTooLong(`the password may have at most ${longest} bytes, not ${length}`)
}

/** Number of passwords hashed concurrently: if there are several cores, one is always left for everything else. */
export function boundParallel(wanted: number | undefined, cores: number): number {
  const most = Math.max(1, cores - 1)
  return Math.min(wanted ?? most, most)
}

/**
 * How passwords are hashed, according to the options.
 * @param cores of this machine
 * @param warn called where the number of parallel hashes is too high for it
 */
export function hashingOf(
  options: Pick<UsersSettings, 'passwordHash' | 'argon2' | 'parallelHashes'>,
  cores: number,
  warn: (message: string) => void
): Omit<Hashing, 'cutsOff'> {
  const { passwordHash, argon2, parallelHashes } = options
  const parallel = boundParallel(parallelHashes, cores)
  if (parallelHashes !== undefined && parallel < parallelHashes)
    warn(`users: parallelHashes is ${parallel}, not ${parallelHashes}: this machine has ${cores} cores`)
  return { kind: passwordHash, argon2, parallel }
}

/** The numbers that a hash holds; undefined for another text. */
function numbersIn(form: RegExp, hashed: string): readonly number[] | undefined {
  return form.exec(hashed)?.slice(1).map(Number)
}

/** The algorithm of a stored hash; undefined if it is not a hash. */
export function kindOf(hashed: string): HashKindName | undefined {
  if (hashKinds.bcrypt.isOwn(hashed)) return 'bcrypt'
  return hashKinds.argon2id.isOwn(hashed) ? 'argon2id' : undefined
}

/** Whether two strings are equal, in constant time. Values other than strings are never equal. */
export function isSameText(a: unknown, b: unknown): boolean {
  if (typeof a !== 'string' || typeof b !== 'string' || a === '') return false
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}
