import * as openid from 'openid-client'
import { api, issuer } from './addresses.ts'

// A program that acts for itself: it has a secret, and no user.
const secret = process.env['SECRET']
if (secret === undefined) throw new Error('SECRET is not set: the authorization server prints it when it starts')

const server = await openid.discovery(new URL(issuer), 'notes-report', secret, undefined, {
  execute: [openid.allowInsecureRequests]
})
const { access_token } = await openid.clientCredentialsGrant(server, { scope: 'notes:count', resource: api })
const answer = await fetch(`${api}/api/Notes/count`, { headers: { authorization: `Bearer ${access_token}` } })
console.log(`${answer.status} ${await answer.text()}`)
