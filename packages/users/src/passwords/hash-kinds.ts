/** How hard hashes are made. */
export interface HashStrength {
  /** bcrypt: two to this power rounds. */
  readonly cost: number
  /** Argon2id: KiB of memory. */
  readonly memory: number
  /** Argon2id: passes over that memory. */
  readonly passes: number
}

/** A way to hash passwords. */
export interface HashKind {
  /** Whether a stored text is such a hash. */
  readonly isOwn: (hashed: string) => boolean
  readonly hash: (password: string, strength: HashStrength) => Promise<string>
  readonly verify: (password: string, hashed: string) => Promise<boolean>
  /** Whether a hash of this kind was made with less effort than configured. */
  readonly isWeaker: (hashed: string, strength: HashStrength) => boolean
}

/** Names of the ways to hash. */
export type HashKindName = 'bcrypt' | 'argon2id'

const bcryptForm = /^\$2[aby]\$(\d\d)\$.{53}$/
const argon2Form = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$[\w+/]+\$[\w+/]+$/

/** The numbers that a hash holds; undefined for another text. */
function numbersIn(form: RegExp, hashed: string): readonly number[] | undefined {
  return form.exec(hashed)?.slice(1).map(Number)
}

// Most applications use one of them.
const bcrypt = async () => import('@node-rs/bcrypt')
const argon2 = async () => import('@node-rs/argon2')

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
    (await argon2()).hash(password, { memoryCost: memory, timeCost: passes, parallelism: 1 }),
  verify: async (password, hashed) => (await argon2()).verify(hashed, password),
  isWeaker: (hashed, { memory, passes }) => {
    const [m = memory, t = passes] = numbersIn(argon2Form, hashed) ?? []
    return m * t < memory * passes
  }
}

/** All ways to hash, by name. */
export const hashKinds: Readonly<Record<HashKindName, HashKind>> = { bcrypt: bcryptKind, argon2id: argon2Kind }

/** The way in which a stored hash was made; undefined for what is not a hash. */
export function kindOf(hashed: string): HashKindName | undefined {
  if (hashKinds.bcrypt.isOwn(hashed)) return 'bcrypt'
  return hashKinds.argon2id.isOwn(hashed) ? 'argon2id' : undefined
}
