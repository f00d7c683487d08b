'use strict'

module.exports = (app, done) => {
  app.enableAuth()
  if (process.env.MIGRATE === undefined) return done()
  return app.dataSources.db.automigrate(done)
}
