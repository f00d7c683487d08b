import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

type Profiles = Readonly<Record<string, object>>

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return new URLSearchParams(Buffer.concat(parts).toString())
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

async function answer(profiles: Profiles, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://provider.invalid')
  if (url.pathname === '/profile') {
    send(response, 200, profiles[url.searchParams.get('access_token')?.slice(3) ?? ''] ?? {})
    return
  }
  const code = (await formOf(request)).get('code') ?? ''
  if (code in profiles) send(response, 200, { access_token: `at-${code}`, refresh_token: `rt-${code}` })
  else send(response, 400, { error: 'invalid_grant', error_description: 'wrong code' })
}

/** A provider of OAuth 2.0 whose codes are the keys of its profiles. Gives its address. */
export async function startProvider(t: Test, profiles: Profiles): Promise<string> {
  const server = createServer((request, response) => void answer(profiles, request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** What the provider of these tests says of users. */
export const profiles = {
  ann: {
    provider: 'example',
    id: '1',
    username: 'ann',
    name: { given: 'ann' },
    emails: [{ value: 'ann@example.com' }]
  },
  bob: { id: 2, name: { given: 'bob' }, emails: [{ value: 'bob@example.com' }] },
  nobody: { username: 'x' },
  silent: { id: 9, name: { given: 'silent' } },
  doubtful: { id: 10, name: { given: 'doubtful' }, emails: [{ value: 'loc@example.com', verified: false }] }
}
