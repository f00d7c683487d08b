import { createServer } from 'node:http'
import * as openid from 'openid-client'
import { api, issuer } from './addresses.ts'

// A program on a user's machine: it cannot keep a secret, so it proves itself by PKCE.
const server = await openid.discovery(new URL(issuer), 'notes-cli', undefined, openid.None(), {
  execute: [openid.allowInsecureRequests]
})
const verifier = openid.randomPKCECodeVerifier()
const state = openid.randomState()
const nonce = openid.randomNonce()

/** Waits for the browser to come back. */
const listener = createServer()
await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
const bound = listener.address()
const port = typeof bound === 'object' && bound !== null ? bound.port : 0
const callback = `http://127.0.0.1:${port}/callback`

const question = openid.buildAuthorizationUrl(server, {
  redirect_uri: callback,
  scope: 'openid profile notes:read notes:write',
  resource: api,
  code_challenge: await openid.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
  state,
  nonce
})
console.log(`Open this address in your browser:\n${question.href}\n`)

const cameBack = await new Promise<URL>((resolve) => {
  listener.on('request', (request, response) => {
    const url = new URL(request.url ?? '/', callback)
    response.writeHead(url.pathname === '/callback' ? 200 : 404, { 'content-type': 'text/plain', connection: 'close' })
    response.end(url.pathname === '/callback' ? 'You can close this page and go back to the command line.' : '')
    if (url.pathname === '/callback') resolve(url)
  })
})
listener.close()

const tokens = await openid.authorizationCodeGrant(
  server,
  cameBack,
  {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce
  },
  { resource: api }
)
console.log(`Signed in as user ${tokens.claims()?.sub}`)

const headers = { authorization: `Bearer ${tokens.access_token}`, 'content-type': 'application/json' }
const note = JSON.stringify({ text: 'Written on the command line' })
const written = await fetch(`${api}/api/Notes`, { method: 'POST', headers, body: note })
console.log(`POST /api/Notes: ${written.status} ${await written.text()}`)
const found = await fetch(`${api}/api/Notes`, { headers })
console.log(`GET /api/Notes: ${found.status} ${await found.text()}`)
const counted = await fetch(`${api}/api/Notes/count`, { headers })
console.log(`GET /api/Notes/count, for which there is no permission: ${counted.status}`)
