import type { ReadHint } from '../oidc/id-token-hint.ts'
import type { OAuth2Parts } from '../parts.ts'
import type { CsrfTokens } from '../csrf.ts'
import type { SessionCookie } from '../session.ts'
import type { SignIns } from '../signed-in.ts'
import type { ShowPage } from './show-page.ts'

/** What every page works with. */
export interface PageParts extends OAuth2Parts {
  readonly show: ShowPage
  readonly cookie: SessionCookie
  readonly csrf: CsrfTokens
  readonly signIns: SignIns
  /** Reads ID tokens that clients send back; undefined where none are issued. */
  readonly readHint: ReadHint | undefined
}
