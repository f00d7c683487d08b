'use strict'

const { existsSync } = require('node:fs')
const { dirname, join, sep } = require('node:path')
const { provideLoopBack } = require('@modelwire/boot')

const installed = `${sep}node_modules${sep}`

/** The folder of the `package.json` above a file of an application; packages belong to the application that they lie in. */
function rootOf(file) {
  const own = file.split(installed)[0]
  for (let folder = dirname(own === file ? file : join(own, 'x')); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return folder
    if (folder === dirname(folder)) return dirname(file)
  }
}

// Node knows of each module which one required it first: here a script of the application.
const script = module.parent?.filename ?? require.main?.filename ?? join(process.cwd(), 'server.js')

module.exports = provideLoopBack({ root: rootOf(script) })
