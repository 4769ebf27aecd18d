import { useEffect, useState } from 'preact/hooks';
import { Problem } from '../../api/problem.ts';
import { completeSignIn, readSession, signIn, type Session } from '../../api/account.ts';
import { useAction } from '../../api/use-request.ts';
import { Button, Notice, ProblemNotice } from '../../parts/basics.tsx';
import { TextField } from '../../parts/field.tsx';
import { Brand } from '../../shell/brand.tsx';
import { ProviderSignIn, useSignInOptions } from './provider-sign-in.tsx';

/** Shown at every address until the user signs in, who then sees the page at that address. */
export function SignInPage(props: {
  /** The user was signed in before. */
  readonly hasEnded: boolean;
  readonly onSignIn: (session: Session) => void;
}) {
  const { hasEnded, onSignIn } = props;
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  // The sign-in succeeded, but the next request had no session.
  const [isCookieMissing, setCookieMissing] = useState(false);
  useEffect(() => {
    document.title = 'Sign in · Plumbline';
  }, []);
  // The password was correct, and a code is missing.
  const [challenge, setChallenge] = useState<string | null>(null);
  const [code, setCode] = useState('');
  const options = useSignInOptions();
  const earlier = options.data?.problem;
  const [isRecovery, setRecovery] = useState(false);
  const startOver = (): void => {
    setChallenge(null);
    setCode('');
    setRecovery(false);
  };
  const entering = useAction(async () => {
    const session = await (
      challenge === null ? signIn(name, password) : completeSignIn(challenge, code)
    ).catch((error: unknown) => {
      const next = challengeIn(error);
      if (next === null) throw error;
      setChallenge(next);
      setPassword('');
      return null;
    });
    if (session === null) return;
    setPassword('');
    setCode('');
    const isKept = await readSession().then(
      () => true,
      () => false,
    );
    if (isKept) onSignIn(session);
    else setCookieMissing(true);
  });
  return (
    <main class="sign-in">
      <h1>
        <Brand />
      </h1>
      {hasEnded && !entering.problem && (
        <Notice kind="info">Your session has ended. Sign in again to continue.</Notice>
      )}
      {earlier && !entering.problem && (
        <Notice kind="error">
          <p>{earlier}</p>
        </Notice>
      )}
      <div class="card">
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void entering.run();
          }}
        >
          {challenge === null ? (
            <NameAndPassword name={name} onName={setName} password={password} onPassword={setPassword} />
          ) : (
            <SecondStep
              code={code}
              onCode={setCode}
              isRecovery={isRecovery}
              onRecovery={setRecovery}
              onStartOver={startOver}
            />
          )}
          {entering.problem && <SignInProblem problem={entering.problem} />}
          {isCookieMissing && (
            <Notice kind="error" title="Your browser did not save the session cookie.">
              <p>
                Browsers save it only over HTTPS or at <code>http://localhost</code>. Open the console at such
                an address and allow cookies. The documentation of the console describes how to set up HTTPS.
              </p>
            </Notice>
          )}
          <Button kind="primary" type="submit" busy={entering.isBusy && 'Signing in …'}>
            Sign in
          </Button>
        </form>
        {challenge === null && <ProviderSignIn options={options} />}
      </div>
      <div class="quiet small stack">
        <p>
          No user yet? Create the first one on the server:{' '}
          <code>plumbline users create --name you@example.org --role administrator</code>
        </p>
        <p>
          Programs use an API key instead: <a href="/docs">documentation</a>.
        </p>
      </div>
    </main>
  );
}

function NameAndPassword(props: {
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly password: string;
  readonly onPassword: (password: string) => void;
}) {
  const { name, onName, password, onPassword } = props;
  return (
    <>
      <TextField
        label="Name"
        name="username"
        autoComplete="username"
        value={name}
        onInput={onName}
        isRequired
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        value={password}
        onInput={onPassword}
        isRequired
      />
    </>
  );
}

/** The code of the second factor, of the app or a recovery code. */
function SecondStep(props: {
  readonly code: string;
  readonly onCode: (code: string) => void;
  readonly isRecovery: boolean;
  readonly onRecovery: (isRecovery: boolean) => void;
  readonly onStartOver: () => void;
}) {
  const { code, onCode, isRecovery, onRecovery, onStartOver } = props;
  return (
    <>
      <TextField
        key={isRecovery ? 'recovery' : 'app'}
        label={isRecovery ? 'Recovery code' : 'Code of your authenticator app'}
        name="code"
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        inputMode={isRecovery ? 'text' : 'numeric'}
        maxLength={40}
        value={code}
        onInput={onCode}
        isRequired
      />
      <p class="row">
        <Button
          isSmall
          onClick={() => {
            onRecovery(!isRecovery);
            onCode('');
          }}
        >
          {isRecovery ? 'Use the app' : 'Use a recovery code'}
        </Button>
        <Button isSmall onClick={onStartOver}>
          Start over
        </Button>
      </p>
    </>
  );
}

/** The challenge of a response that asks for a second factor; null for other failures. */
function challengeIn(error: unknown): string | null {
  if (!(error instanceof Problem) || error.code !== 'second_factor_required') return null;
  const { challenge } = error.members;
  return typeof challenge === 'string' ? challenge : null;
}

function SignInProblem({ problem }: { readonly problem: Problem }) {
  if (problem.code !== 'rate_limited') return <ProblemNotice problem={problem} />;
  const minutes = Math.ceil((problem.retryAfterSeconds ?? 900) / 60);
  return (
    <Notice kind="error">
      <p>
        {problem.message} Try again in {minutes} {minutes === 1 ? 'minute' : 'minutes'}.
      </p>
    </Notice>
  );
}
