import assert from 'node:assert/strict';
import { deletePerson } from '../src/accounts/delete-account.ts';
import { userNamed } from '../src/accounts/manage-users.ts';
import { COMMAND_LINE } from '../src/store/audit-log.ts';
import { onConsole, openBrowser } from './console-fixture.ts';

const ADA = { prepared_by: 'Ada Example, SRA', license_number: '1234-9', license_state: 'WI' };

onConsole(
  "a preparer's name and license are in every browser of the user, not in those of others, and deleted with the user",
  async (console) => {
    const { people } = console;
    await console.addUser('ada', 'member');
    await console.addUser('bob', 'administrator');
    const [office, home, bob] = [openBrowser(console), openBrowser(console), openBrowser(console)];
    await office.signIn('ada');
    await home.signIn('ada');
    await bob.signIn('bob');
    assert.deepEqual((await home.ask('GET', 'report-preparer')).body, {});
    assert.equal((await office.ask('POST', 'report-preparer', ADA)).status, 200);
    assert.deepEqual((await home.ask('GET', 'report-preparer')).body, ADA);
    assert.deepEqual((await bob.ask('GET', 'report-preparer')).body, {});

    const long = await office.ask('POST', 'report-preparer', { prepared_by: 'x'.repeat(101) });
    assert.equal(long.status, 422);
    const { license_number: _number, ...rest } = ADA;
    await office.ask('POST', 'report-preparer', { ...rest, license_number: null });
    assert.deepEqual((await home.ask('GET', 'report-preparer')).body, rest);

    await deletePerson(people, COMMAND_LINE, await userNamed(people, 'ada'));
    const kept = await people.store.db.selectFrom('users').selectAll().execute();
    assert.ok(kept.some(({ name }) => name === 'bob'));
    assert.ok(!JSON.stringify(kept).includes('Ada Example'));
  },
);
