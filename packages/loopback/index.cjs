'use strict'

const { existsSync } = require('node:fs')
const path = require('node:path')
const { provideLoopBack } = require('@modelwire/boot')

const installed = `${path.sep}node_modules${path.sep}`

/** The folder of the `package.json` above a file of an application; packages belong to the application that they lie in. */
function rootOf(file) {
  const own = file.split(installed)[0]
  for (let folder = path.dirname(own === file ? file : path.join(own, 'x')); ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'package.json'))) return folder
    if (folder === path.dirname(folder)) return path.dirname(file)
  }
}

// Node knows of each module which one required it first: here a script of the application.
const script = module.parent?.filename ?? require.main?.filename ?? path.join(process.cwd(), 'server.js')

module.exports = provideLoopBack({ root: rootOf(script) })
