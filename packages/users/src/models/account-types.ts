import type { Instance } from '@modelwire/core'
import type { AccountSettings } from '../accounts/account-settings.ts'

/** Properties of accounts: those that records of models extending `User` inherit. */
export interface AccountRecord {
  email: string
  /** Its hash, once it is stored. */
  password: string
  username?: string | null
  realm?: string | null
  emailVerified?: boolean | null
  verificationToken?: string | null
}

/** The parameter of `login`: an email address or a user name, and a password. */
export interface Credentials {
  email?: string
  username?: string
  realm?: string
  password: string
  /** Lifetime of the token in seconds. */
  ttl?: number
}

/** An access token as returned by `login`. */
export interface AccessTokenRecord {
  id: string
  ttl: number
  created: Date
  userId: string | number
  scopes?: string[] | null
}

/** Methods of records that extend `User`. */
export interface AccountMethods {
  hasPassword(plain: string): Promise<boolean>
  createAccessToken(ttl?: number | object, options?: object): Promise<Instance<AccessTokenRecord>>
  changePassword(oldPassword: string, newPassword: string, options?: object): Promise<unknown>
  setPassword(newPassword: string, options?: object): Promise<unknown>
  verify(options?: object): Promise<unknown>
}

/** Methods of models that extend `User`. */
export interface AccountStatics {
  login(credentials: Credentials, include?: string | readonly string[]): Promise<Instance<AccessTokenRecord>>
  logout(tokenId: string): Promise<unknown>
  confirm(userId: unknown, token: string, redirect?: string): Promise<unknown>
  resetPassword(options: { email: string; realm?: string }): Promise<unknown>
  changePassword(userId: unknown, oldPassword: string, newPassword: string, options?: object): Promise<unknown>
  setPassword(userId: unknown, newPassword: string, options?: object): Promise<unknown>
}

declare module '@modelwire/core' {
  interface PackageSettings extends Partial<Omit<AccountSettings, 'realmDelimiter' | 'caseSensitiveEmail'>> {
    realmDelimiter?: string
    allowEternalTokens?: boolean
  }
  interface BaseModels {
    User: { record: AccountRecord; optional: never; methods: AccountMethods; statics: AccountStatics }
    AccessToken: {
      record: AccessTokenRecord
      optional: 'id' | 'ttl' | 'created'
      methods: {}
      statics: {}
    }
  }
}
