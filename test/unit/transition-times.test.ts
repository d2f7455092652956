import assert from "node:assert/strict";
import { test } from "node:test";
import { type Judgement, readConditions, withTransitionTimes } from "../../components/workload/conditions.ts";

const NOW = new Date("2027-01-01T00:00:00.987Z");
const EARLIER = "2026-06-01T12:34:56Z";
const AVAILABLE: Judgement = {
  type: "Available",
  status: "True",
  reason: "AllReplicasReady",
  message: "1/1 replicas ready",
};

const time = (condition: Judgement, previous: unknown): string | undefined =>
  withTransitionTimes([condition], readConditions(previous), NOW)[0]?.lastTransitionTime;

test("a condition that is seen for the first time starts now, to the second", () => {
  assert.equal(time(AVAILABLE, []), "2027-01-01T00:00:00Z");
});

test("a condition whose status is the same keeps its time", () => {
  assert.equal(time(AVAILABLE, [{ ...AVAILABLE, lastTransitionTime: EARLIER }]), EARLIER);
});

test("another reason or message does not renew the time", () => {
  const before = { ...AVAILABLE, reason: "SomeReplicasReady", message: "1/2", lastTransitionTime: EARLIER };
  assert.equal(time(AVAILABLE, [before]), EARLIER);
});

test("another status renews the time", () => {
  for (const status of ["False", "Unknown"])
    assert.equal(
      time(AVAILABLE, [{ ...AVAILABLE, status, lastTransitionTime: EARLIER }]),
      "2027-01-01T00:00:00Z",
    );
});

test("a change of one condition leaves the times of the others alone", () => {
  const progressing: Judgement = { ...AVAILABLE, type: "Progressing" };
  const said = withTransitionTimes(
    [progressing, AVAILABLE],
    [
      { type: "Available", status: "False", lastTransitionTime: EARLIER },
      { type: "Progressing", status: "True", lastTransitionTime: EARLIER },
    ],
    NOW,
  );
  assert.deepEqual(
    said.map(({ type, lastTransitionTime }) => `${type} ${lastTransitionTime}`),
    [`Progressing ${EARLIER}`, "Available 2027-01-01T00:00:00Z"],
  );
});

test("what was judged is not touched", () => {
  assert.deepEqual(withTransitionTimes([AVAILABLE], [], NOW), [
    { ...AVAILABLE, lastTransitionTime: "2027-01-01T00:00:00Z" },
  ]);
});

for (const [what, recorded] of Object.entries({
  nothing: undefined,
  null: null,
  "a string": "conditions",
  "a map": { Available: "True" },
  "a list of something else": [null, 1, "Available", []],
  "conditions of the version before, without times": [AVAILABLE],
  "a time that is no string": [{ ...AVAILABLE, lastTransitionTime: 1 }],
  "a time that is no time": [{ ...AVAILABLE, lastTransitionTime: "yesterday" }],
  "a time in another zone": [{ ...AVAILABLE, lastTransitionTime: "2026-06-01T12:34:56+02:00" }],
  "a condition without type": [{ status: "True", lastTransitionTime: EARLIER }],
  "a condition without status": [{ type: "Available", lastTransitionTime: EARLIER }],
})) {
  test(`${what} counts as no run before`, () => {
    assert.deepEqual(readConditions(recorded), []);
  });
}

test("of a recorded condition only what the next run needs is kept, beside others that are malformed", () => {
  const recorded = [null, { ...AVAILABLE, lastTransitionTime: EARLIER, extra: "x" }];
  assert.deepEqual(readConditions(recorded), [{ ...AVAILABLE, lastTransitionTime: EARLIER }]);
});
