import { ViewEngineMissing } from '@modelwire/loopback-express'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { isFunction, type ScriptFunction } from '../../callback-bridge.ts'

/** The package ejs that is installed for the folder of a file. @throws {ViewEngineMissing} there is none */
function findEngine(path: string): ScriptFunction {
  try {
    const compile: unknown = Reflect.get(Object(createRequire(path)('ejs')), 'compile')
    if (isFunction(compile)) return compile
  } catch (cause) {
    throw new ViewEngineMissing('loopback.template needs the package ejs beside the application: npm install ejs', {
      cause
    })
  }
  throw new ViewEngineMissing('the package ejs beside the application exports no function compile')
}

/**
 * `loopback.template(file)`: a function that renders a file of ejs with values.
 * @throws {ViewEngineMissing} the package ejs is not installed beside the application
 */
export function compileTemplate(file: string): unknown {
  const path = resolve(file)
  return findEngine(path)(readFileSync(path, 'utf8'), { filename: path })
}
