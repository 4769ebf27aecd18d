import type { Page } from 'playwright-core';
import { settled } from './open-console.ts';
import { chooseBadFile, openJob, sendFile, sendPortfolio, STREETS, watchFile } from './upload-file.ts';

/**
 * A page for screenshots and accessibility checks: its address, and the steps before it is ready. Most need
 * one line.
 */
export interface PicturedPage {
  /** The name of the screenshot file. */
  readonly name: string;
  readonly path: string;
  readonly isSignedOut?: true;
  readonly before?: (page: Page) => Promise<void>;
}

const press =
  (name: string) =>
  async (page: Page): Promise<void> =>
    page.getByRole('button', { name, exact: true }).first().click();

const showLayer =
  (layer: string) =>
  async (page: Page): Promise<void> => {
    await page.getByLabel('Map layer').selectOption(layer);
  };

/** On a busy machine the service may ask to try the value again. */
async function showHistory(page: Page): Promise<void> {
  const show = page.getByRole('button', { name: 'Show value history' });
  const again = page.getByRole('button', { name: 'Try again' }).first();
  for (let tries = 0; tries < 20; tries++) {
    await show.or(again).first().waitFor();
    if (await show.isVisible()) break;
    await again.click();
    await settled(page);
  }
  await show.click();
}

const HOME = '/console/value?latitude=42.0005&longitude=-101.6';

/** Excludes, pins and adds sales, opens the list of the others, and adds a renovation. */
async function editComparables(page: Page): Promise<void> {
  await press('Exclude comparable 1')(page);
  await page.locator('.split').waitFor();
  await settled(page);
  await press('Pin comparable 2')(page);
  await press('Choose from other sales')(page);
  await press('Add a sale')(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Address' }).fill(`${STREETS[0]}, Plumb Falls`);
  await dialog.getByLabel('Price, USD').fill('310,000');
  await dialog
    .getByLabel('Date of sale')
    .fill(new Date(Date.now() - 90 * 86_400_000).toISOString().slice(0, 10));
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('added', { exact: true }).waitFor();
  await page.getByRole('region', { name: 'Other sales' }).waitFor();
  await press('Add a renovation')(page);
  await dialog.getByLabel('What was or will be done').fill('Kitchen');
  await dialog.getByLabel('Cost, USD').fill('40,000');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('60% of the cost', { exact: true }).waitFor();
}

/** Saves the changes as a challenge, so that one is listed. */
async function saveChallenge(page: Page): Promise<void> {
  await editComparables(page);
  await press('Save challenge')(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('region', { name: 'Saved challenges' }).waitFor();
}

async function openStored(page: Page): Promise<void> {
  await saveChallenge(page);
  await page.getByRole('link', { name: 'Version 1', exact: true }).first().click();
  await page.getByText('Stored value with changes').waitFor();
}

async function decide(page: Page): Promise<void> {
  await saveChallenge(page);
  await page
    .getByRole('button', { name: /^Decide/ })
    .first()
    .click();
}

/** Saves the valuation under a name, so that the list has one. */
async function saveValuation(page: Page): Promise<void> {
  await press('Save valuation')(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Tags').fill('appeal, 2026');
  await dialog.getByLabel('Note').fill('The owner says that the basement is not finished.');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('link', { name: 'See all' }).click();
  await page.getByRole('region', { name: 'Saved valuations' }).waitFor();
}

/** Opens the report as a page, or what a link shows of it. */
const openReport =
  (version: 'owner' | 'appraiser') =>
  async (page: Page): Promise<void> => {
    await page.getByLabel('Version', { exact: true }).selectOption(version);
    const path = await page.getByRole('link', { name: 'Open web page' }).getAttribute('href');
    await page.goto(path ?? '');
  };

async function enterBadSale(page: Page): Promise<void> {
  await press('Add a sale')(page);
  await page.getByRole('dialog').getByLabel('Price, USD').fill('many');
  await page.getByText('Enter the price in dollars').waitFor();
}

/** Creates a link to a report that says who prepared it. */
async function createShare(page: Page): Promise<void> {
  await page.getByText('Prepared by and for').click();
  await page.getByLabel('Prepared by').fill('Ada Example, SRA');
  await press('Share')(page);
  await press('Create link')(page);
  await page.getByText('The link is shown only once').waitFor();
}

async function openDeletion(page: Page): Promise<void> {
  await press('Delete Sample County …')(page);
  await page.getByText('This removes for all users').waitFor();
}

async function openSettings(page: Page): Promise<void> {
  await watchFile(page);
  await press('Settings …')(page);
  await page.getByRole('dialog').getByLabel('Name').waitFor();
}

async function tryRequest(page: Page): Promise<void> {
  const value = page.locator('#valueProperty');
  await value.getByRole('button', { name: 'Try it' }).click();
  await value.getByLabel('API key').fill('plb_live_wrong');
  await value.getByRole('button', { name: 'What it costs' }).click();
  await value.getByText(/^401 /).waitFor();
}

// prettier-ignore
export const PICTURED_PAGES: readonly PicturedPage[] = [
  { name: 'sign-in', path: '/console', isSignedOut: true },
  { name: 'sign-in-problem', path: '/console?sign_in_problem=unknown_user', isSignedOut: true },
  { name: 'value-start', path: '/console/value' },
  { name: 'value-home', path: '/console/value?latitude=42.0005&longitude=-101.6' },
  { name: 'value-history', path: '/console/value?latitude=42.0005&longitude=-101.6', before: showHistory },
  { name: 'value-rent', path: '/console/value?kind=rent&latitude=42.0005&longitude=-101.6' },
  { name: 'value-building', path: '/console/value?kind=building&latitude=42.0005&longitude=-101.6&total_units=6&bedrooms=10&bathrooms=6' },
  { name: 'value-unknown', path: '/console/value?address=99999%20Nowhere%20Rd' },
  { name: 'saved', path: '/console/saved' },
  { name: 'place-start', path: '/console/place' },
  { name: 'place', path: '/console/place?latitude=42.0005&longitude=-101.6' },
  { name: 'place-flood', path: '/console/place?latitude=42.0005&longitude=-101.6', before: showLayer('flood') },
  { name: 'place-income', path: '/console/place?latitude=42.0005&longitude=-101.6', before: showLayer('census') },
  { name: 'markets', path: '/console/markets' },
  { name: 'market', path: '/console/markets/sample-county' },
  { name: 'market-rents', path: '/console/markets/sample-county', before: async (page) => page.getByRole('tab', { name: 'Rents' }).click() },
  { name: 'market-sales', path: '/console/markets/sample-county/sales' },
  { name: 'market-sales-review', path: '/console/markets/sample-county/sales', before: async (page) => page.getByRole('button', { name: /^Review / }).first().click() },
  { name: 'trends', path: '/console/trends?market=sample-county' },
  { name: 'batches-sent', path: '/console/batches/new', before: sendFile },
  { name: 'batches-portfolio', path: '/console/batches/new', before: sendPortfolio },
  { name: 'portfolio', path: '/console/batches/new', before: watchFile },
  { name: 'portfolios', path: '/console/portfolios' },
  { name: 'batches-job', path: '/console/batches', before: openJob },
  { name: 'batches', path: '/console/batches' },
  { name: 'batches-deliveries', path: '/console/batches', before: async (page) => page.getByRole('tab', { name: 'Deliveries' }).click() },
  { name: 'batches-file', path: '/console/batches/new', before: chooseBadFile },
  { name: 'import', path: '/console/import' },
  { name: 'keys', path: '/console/keys' },
  { name: 'keys-create', path: '/console/keys', before: press('Create API key') },
  { name: 'usage', path: '/console/usage' },
  { name: 'plans', path: '/console/plans' },
  { name: 'users', path: '/console/users' },
  { name: 'users-add', path: '/console/users', before: press('Add a user') },
  { name: 'accounts', path: '/console/accounts' },
  { name: 'accounts-create', path: '/console/accounts', before: press('Create account') },
  { name: 'audit', path: '/console/audit' },
  { name: 'account', path: '/console/account' },
  { name: 'not-found', path: '/console/not-found' },
];

/** Dialogs, errors and changes of the pages above, and the documentation. */
// prettier-ignore
export const PICTURED_STATES: readonly PicturedPage[] = [
  { name: 'value-edited', path: HOME, before: editComparables },
  { name: 'value-add-sale', path: HOME, before: press('Add a sale') },
  { name: 'value-renovate', path: HOME, before: press('Add a renovation') },
  { name: 'value-stored', path: HOME, before: openStored },
  { name: 'value-adjust', path: HOME, before: press('Adjust comparable 1') },
  { name: 'value-decide', path: HOME, before: decide },
  { name: 'value-save', path: HOME, before: press('Save valuation') },
  { name: 'value-share', path: HOME, before: press('Share') },
  { name: 'saved-one', path: HOME, before: saveValuation },
  { name: 'value-add-sale-error', path: HOME, before: enterBadSale },
  { name: 'value-share-created', path: HOME, before: createShare },
  { name: 'market-delete', path: '/console/markets/sample-county', before: openDeletion },
  { name: 'docs', path: '/docs', isSignedOut: true },
  { name: 'docs-search', path: '/docs/search?q=share+link', isSignedOut: true },
  { name: 'portfolio-settings', path: '/console/batches/new', before: openSettings },
];

/** Reports and a trial request: only for screenshots. */
// prettier-ignore
export const MORE_PICTURES: readonly PicturedPage[] = [
  { name: 'report-owner', path: HOME, before: openReport('owner') },
  { name: 'report-appraiser', path: HOME, before: openReport('appraiser') },
  { name: 'docs-try', path: '/docs', isSignedOut: true, before: tryRequest },
];
