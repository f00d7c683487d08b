import { authorizationCode } from './authorization-code.ts'
import { implicit } from './implicit.ts'

/** The grant of each response type. */
export const grantOfResponse = { code: authorizationCode, token: implicit } as const

/** The response type that a client requests. */
export type ResponseType = keyof typeof grantOfResponse
