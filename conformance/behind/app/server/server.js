'use strict'
const loopback = require('loopback')
const boot = require('loopback-boot')

const app = loopback()
module.exports = app
app.start = () => app.listen(() => app.emit('started'))
app.get('/custom/headers', (request, response) => response.json(request.headers))
boot(app, __dirname, (error) => {
  if (error) throw error
  if (require.main === module) app.start()
})
