import type { Parameters } from './parameters.ts'

/** Parameters of the protocols that this server speaks, `resource` excepted, which may be repeated. */
const names: ReadonlySet<string> = new Set([
  'access_token',
  'assertion',
  'cancel',
  'client_assertion',
  'client_assertion_type',
  'client_id',
  'client_secret',
  'code',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
  'device_code',
  'display',
  'grant_type',
  'id_token_hint',
  'login_hint',
  'logout_hint',
  'max_age',
  'nonce',
  'password',
  'post_logout_redirect_uri',
  'prompt',
  'redirect_uri',
  'refresh_token',
  'request',
  'request_uri',
  'response_mode',
  'response_type',
  'scope',
  'state',
  'sub',
  'subject',
  'token',
  'token_type_hint',
  'transaction_id',
  'user_code',
  'username'
])

/**
 * Refuses a request that gives any parameter of the protocols as a list, as an object, or twice, whether it is used or not.
 * @throws {ParameterNotText}
 */
export function checkTexts(parameters: Parameters): Parameters {
  parameters.check(names)
  parameters.all('resource')
  return parameters
}
