/** Names of parameters and fields whose values no log may hold. */
export const secretParameters = [
  'access_token',
  'refresh_token',
  'id_token',
  'token',
  'client_secret',
  'client_assertion',
  'assertion',
  'password',
  'oldPassword',
  'newPassword',
  'verificationToken',
  'code_verifier',
  'device_code',
  'user_code',
  'id_token_hint',
  'transactionId',
  'transaction_id'
] as const

/** The same in addresses: an error has a `code`, too, which is no secret. */
export const secretInAddresses: readonly string[] = [...secretParameters, 'code']

/** Names of headers, in lower case, whose values no log may hold. */
export const secretHeaders = ['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-access-token'] as const
