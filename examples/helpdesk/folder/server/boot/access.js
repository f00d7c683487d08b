'use strict'

const oauth2 = require('loopback-component-oauth2')

module.exports = (app) => {
  app.enableAuth()
  const provider = oauth2.oAuth2Provider(app, {
    dataSource: app.dataSources.db,
    userModel: 'Agent',
    // Of a real server: from its environment, the same in all of its processes.
    session: { secret: process.env.SESSION_SECRET || 'change me: at least thirty-two signs' },
    // What clients of OAuth 2.0 may do: the rules of the models count as well.
    openOperations: ['Agent.login'],
    scopeMappings: { 'tickets:sum': ['Ticket.aggregate'] }
  })
  // Login tokens of agents are taken beside tokens of clients.
  provider.authenticate(['/api'], { optional: true })
}
