import { resolve } from 'node:path'
import type { Model } from '@modelwire/core'
import { addMethods, type CallScript, passportDefinitions, type ScriptModel } from '@modelwire/passport'
import { type AppFolder, isFile } from '../files/app-folder.ts'
import { acceptCallback, callBridged } from '@modelwire/loopback/api'
import type { ModelFile } from './find-model-files.ts'

const folderName = /^(.*[\\/])?node_modules[\\/]loopback-component-passport[\\/]lib[\\/]models[\\/]?$/
const bareName = /^loopback-component-passport\/lib\/models\/?$/

/** True if a model source is the folder of loopback-component-passport, where the package would be installed. */
export function isPassportFolder({ serverDir }: AppFolder, source: string): boolean {
  if (bareName.test(source)) return true
  const home = folderName.exec(resolve(serverDir, source))?.[1]
  return home !== undefined && isFile(`${home}package.json`)
}

/** Calls a function of a script and returns all values that it calls back with. */
export const callWithResults: CallScript = async (fn, self, args) => {
  const outcome = await callBridged(fn, self, args)
  return 'results' in outcome ? outcome.results : [outcome.value]
}

/** Adds the method that scripts call to a model of loopback-component-passport. */
export function preparePassportModel(modelClass: typeof Model): void {
  addMethods(modelClass as ScriptModel, callWithResults, acceptCallback) // models of scripts have LoopBack's members
}

/** The model files of loopback-component-passport. */
export const passportFiles: readonly ModelFile[] = passportDefinitions.map((definition) => ({
  file: `loopback-component-passport/lib/models/${definition.name}`,
  definition,
  script: undefined,
  prepare: preparePassportModel
}))
