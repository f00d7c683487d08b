module.exports = (app) => app.enableAuth()
