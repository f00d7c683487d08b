import t from 'tap'
import { metadataPlace } from '#src/resource/install-protection.ts'
import { makeIssuer } from './issuer.ts'
import { echo, makeApi } from './resource-app.ts'

void t.test('a resource says where its tokens come from and how they are presented', async (t) => {
  const server = await makeIssuer()
  const options = {
    resourceMetadata: { name: 'Orders', documentation: 'https://docs.example', scopes: ['read', 'write'] },
    tokenInQuery: true
  }
  const api = await makeApi(t, server, { options })
  const answer = await api.inject('/.well-known/oauth-protected-resource')
  t.strictSame(answer.json(), {
    resource: 'https://api.example',
    authorization_servers: ['https://as.example'],
    bearer_methods_supported: ['header', 'query'],
    scopes_supported: ['read', 'write'],
    resource_name: 'Orders',
    resource_documentation: 'https://docs.example'
  })
})

void t.test('scopes of the mappings are those of the resource, unless it names others', async (t) => {
  const server = await makeIssuer()
  const scopesOf = async (resourceMetadata: { scopes?: string[] }) => {
    const api = await makeApi(t, server, { options: { resourceMetadata, scopeMappings: { read: [], write: [] } } })
    return (await api.inject('/.well-known/oauth-protected-resource')).json<{ scopes_supported: string[] }>()
      .scopes_supported
  }
  t.strictSame(await scopesOf({}), ['read', 'write'])
  t.strictSame(await scopesOf({ scopes: ['read'] }), ['read'])
})

void t.test('the place of the metadata follows from the address of the resource', async (t) => {
  const at = '/.well-known/oauth-protected-resource'
  t.strictSame(metadataPlace('https://api.example'), { url: `https://api.example${at}`, path: at })
  t.match(metadataPlace('https://api.example/'), { path: at })
  t.match(metadataPlace('https://api.example/v1/orders?x#y'), { path: `${at}/v1/orders` })
  for (const name of ['orders', 'urn:example:orders', 'ftp://api.example', ''])
    t.equal(metadataPlace(name), undefined, name)
})

void t.test('a resource without an address, or that wants none, has no metadata', async (t) => {
  const server = await makeIssuer()
  for (const options of [{ resourceMetadata: false }, { audience: 'orders' }] as const) {
    const api = await makeApi(t, server, { options: { ...options, protect: '/me' }, routes: (app) => echo(app, '/me') })
    t.equal((await api.inject('/.well-known/oauth-protected-resource')).statusCode, 404)
    t.equal((await api.inject('/me')).headers['www-authenticate'], 'Bearer')
  }
})
