/** The client of OAuth 2.0 that sums for the screen on the wall. */
const wallboard = {
  id: 'wallboard',
  name: 'Wallboard',
  grantTypes: ['client_credentials'],
  scopes: ['tickets:sum']
}

export default async function seedClients(_models, { app: { oauth2 } }) {
  if ((await oauth2.clients.find(wallboard.id)) === undefined) await oauth2.clients.create(wallboard)
}
