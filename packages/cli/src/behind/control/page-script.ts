/**
 * The script of the control page: it fetches the evidence every two seconds and displays it, and switches routes over and
 * back.
 */
export const pageScript: string = `'use strict'
const byId = (id) => document.getElementById(id)
const make = (name, text, attributes = {}) => {
  const element = document.createElement(name)
  if (text !== undefined) element.textContent = text
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  return element
}
const setText = (element, text) => { if (element.textContent !== text) element.textContent = text }
let token = sessionStorage.getItem('modelwire-control') ?? ''
if (location.hash.length > 1) {
  token = location.hash.slice(1)
  history.replaceState(null, '', location.pathname)
}
let differencesShown = -1
const rows = new Map()

async function ask(path, body) {
  const response = await fetch(path, {
    headers: { authorization: 'Bearer ' + token, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { method: 'POST', body: JSON.stringify(body) })
  })
  if (response.status === 401) {
    token = ''
    sessionStorage.removeItem('modelwire-control')
    throw new Error('The token is not valid for this start.')
  }
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.error.message)
  return answer
}

async function give(owner, selection) {
  try {
    const { changed } = await ask('handover', { owner, cause: 'page', ...selection })
    const done = owner === 'new' ? ' handed over' : ' handed back'
    byId('status').textContent = (changed.length === 1 ? changed[0] : changed.length + ' routes') + done
    await refresh()
  } catch (error) {
    byId('alert').textContent = error.message
  }
}

const columns = ['Answered by', 'Requests', 'Equal', 'Different', 'Not compared']

function makeRow(route) {
  const row = make('tr')
  const head = make('th', undefined, { scope: 'row' })
  head.append(route.name, make('small', route.endpoints.join(', ')))
  row.append(head)
  const cells = columns.map((label, at) => make('td', undefined, { 'data-label': label, ...(at > 0 && { class: 'number' }) }))
  const owner = make('span')
  const since = make('small', undefined, { class: 'since' })
  const reason = make('small')
  cells[0].append(owner, since, reason)
  const button = make('button', '', { type: 'button' })
  button.addEventListener('click', () => give(button.dataset.to, { routes: [route.name] }))
  const last = make('td', undefined, { class: 'action' })
  last.append(button)
  row.append(...cells, last)
  byId('routes').append(row)
  return { row, owner, since, reason, cells, button }
}

const causes = { 'equal answers': 'after equal answers', error: 'after an error', command: 'by command', page: 'on this page' }
const notComparedOf = ({ notCompared }) => {
  const parts = Object.entries(notCompared).filter(([, count]) => count > 0)
  const sum = parts.reduce((total, [, count]) => total + count, 0)
  return sum === 0 ? '0' : sum + ' (' + parts.map(([reason, count]) => count + ' ' + reason).join(', ') + ')'
}

function showRoute(route) {
  if (!rows.has(route.name)) rows.set(route.name, makeRow(route))
  const { owner, since, reason, cells, button, row } = rows.get(route.name)
  const isNew = route.owner === 'new'
  setText(owner, isNew ? 'Modelwire' : 'old server')
  owner.className = isNew ? 'new' : ''
  const cause = causes[route.cause]
  setText(since, new Date(route.since).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' }))
  setText(reason, cause ?? '')
  setText(cells[1], route.answered.old + ' old, ' + route.answered.new + ' new')
  setText(cells[2], route.reads ? String(route.equal) : 'only reads are compared')
  setText(cells[3], route.reads ? String(route.different) : '')
  cells[3].className = route.different > 0 ? 'number bad' : 'number'
  setText(cells[4], route.reads ? notComparedOf(route) : '')
  setText(button, isNew ? 'Hand back' : 'Hand over')
  button.setAttribute('aria-label', (isNew ? 'Hand back ' : 'Hand over ') + route.name)
  button.dataset.to = isNew ? 'old' : 'new'
  row.hidden = !matches(route)
}

const readable = (path) => { try { return decodeURIComponent(path) } catch { return path } }

const matches = ({ name, endpoints }) => {
  const wanted = byId('filter').value.trim().toLowerCase()
  return wanted === '' || [name, ...endpoints].some((text) => text.toLowerCase().includes(wanted))
}

function partsOf(sample) {
  const list = make('ul')
  for (const { kind, where, old, new: now } of sample.differences) {
    const item = make('li', kind + ' ')
    const shown = (value) => (value === undefined ? 'absent' : JSON.stringify(value))
    item.append(make('code', where), ': old ', make('code', shown(old)), ', new ', make('code', shown(now)))
    list.append(item)
  }
  const parts = [['Request', sample.request], ['Old answer', sample.old], ['New answer', sample.new]]
  return [list, ...parts.flatMap(([title, part]) => [make('h4', title), make('pre', JSON.stringify(part, null, 2))])]
}

function showDifference(sample) {
  const box = make('details')
  const summary = make('summary')
  summary.append(make('b', sample.request.method), ' ', make('code', readable(sample.request.path)), ' ')
  summary.append(sample.differences.length + (sample.differences.length === 1 ? ' difference' : ' differences'))
  summary.append(make('small', sample.route + ', ' + new Date(sample.at).toLocaleString()))
  box.append(summary, ...partsOf(sample))
  return box
}

async function showDifferences() {
  const { groups, latest } = await ask('differences')
  byId('groups').replaceChildren(...groups.map(({ route, kind, where, requests, example }) => {
    const box = make('details')
    const summary = make('summary', route + ': ' + kind + ' ')
    summary.append(make('code', where), ' in ' + requests + (requests === 1 ? ' request' : ' requests'))
    box.append(summary, ...partsOf(example))
    return box
  }))
  byId('latest').replaceChildren(...latest.map(showDifference))
  byId('none').hidden = latest.length > 0
  byId('some').hidden = latest.length === 0
}

let state
function show() {
  setText(byId('old'), state.old)
  const over = state.routes.filter(({ owner }) => owner === 'new').length
  const sum = (name) => state.routes.reduce((total, route) => total + route[name], 0)
  setText(byId('summary'), over + ' of ' + state.routes.length + ' routes handed over; ' + sum('compared') + ' answers compared, ' +
    sum('equal') + ' equal, ' + sum('different') + ' different, since ' + new Date(state.started).toLocaleString())
  for (const route of state.routes) showRoute(route)
}

async function refresh() {
  state = await ask('state')
  sessionStorage.setItem('modelwire-control', token)
  show()
  const different = state.routes.reduce((total, route) => total + route.different, 0)
  if (different !== differencesShown) {
    await showDifferences()
    differencesShown = different
  }
}

async function live() {
  try {
    if (token !== '') {
      await refresh()
      byId('alert').textContent = ''
    }
  } catch (error) {
    byId('alert').textContent = error.message
  }
  byId('evidence').hidden = token === ''
  byId('door').hidden = token !== ''
  setTimeout(live, 2000)
}

byId('door').addEventListener('submit', (event) => {
  event.preventDefault()
  token = byId('token').value.trim()
  byId('token').value = ''
  byId('alert').textContent = ''
})
byId('filter').addEventListener('input', () => state && show())
const chosen = () => state.routes.filter((route) => matches(route) && route.name !== 'other').map(({ name }) => name)
for (const [id, owner, question] of [['over', 'new', 'Hand over'], ['back', 'old', 'Hand back']])
  byId(id).addEventListener('click', () => {
    const routes = chosen()
    if (routes.length > 0 && confirm(question + ' ' + routes.length + ' routes?')) void give(owner, { routes })
  })
void live()
`
