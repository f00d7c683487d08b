/** A user as pages and functions see it: `id` is what tokens refer to. */
export interface UserFacts {
  readonly id: unknown
  readonly [property: string]: unknown
}

/** The user with this name (or address) and password; undefined for a wrong one. */
export type VerifyUser = (username: string, password: string) => Promise<UserFacts | undefined> | UserFacts | undefined

/** The user with this id. */
export type FindUser = (id: unknown) => Promise<UserFacts | undefined> | UserFacts | undefined

/** The user with this name or address, for assertions and tokens that are requested on behalf of a user. */
export type FindUserByName = (name: string) => Promise<UserFacts | undefined> | UserFacts | undefined

/** Claims of a user for a client with these scopes, beside those that the record has. `sub` stays what it is. */
export type UserClaims = (
  user: UserFacts,
  scopes: readonly string[]
) => Promise<Readonly<Record<string, unknown>>> | Readonly<Record<string, unknown>>
