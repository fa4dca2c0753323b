//! Time stepping against closed forms: its error is of the order of the step.

use saltation_model::{Model, Overrides, Values};
use saltation_motion::Ended;
use saltation_motion::stepping::{Contacting, Stepping, SteppingError, SteppingSettings};

fn model(text: &str) -> (Model, Values) {
    let model = Model::parse(&format!("format = 1\nname = \"test\"\n{text}"), "test.toml").unwrap();
    let values = model.values(&Overrides::default()).unwrap();
    (model, values)
}

/// Steps with laws of contact to 1e-9.
fn fine(step: f64, until: f64) -> SteppingSettings {
    SteppingSettings { tolerance: 1e-9, most_sweeps: 10_000, ..SteppingSettings::new(step, until) }
}

/// The motion at its end.
fn end<'m>((model, values): &'m (Model, Values), step: f64, until: f64) -> Stepping<'m> {
    let mut motion = Stepping::new(model, values, fine(step, until)).unwrap();
    while motion.advance() {
        laws_hold(&motion);
    }
    assert_eq!((motion.ended(), motion.time()), (Some(&Ended::ReachedTime), until));
    assert_eq!(motion.solver().capped, 0);
    motion
}

/// Newton's and Coulomb's laws at every contact of the last step, to the tolerance of the solver.
fn laws_hold(motion: &Stepping) {
    let contacts = motion.contacts();
    let largest =
        contacts.iter().flat_map(|c| c.before.into_iter().chain(c.after)).fold(0.0_f64, |m, u| m.max(u.abs()));
    let room = 1e-7 * (largest + 1.0);
    for contact in contacts {
        let [normal, tangential] = contact.impulse;
        let z = contact.after[0] + contact.restitution * contact.before[0];
        assert!(normal >= 0.0 && z > -room && normal.min(z) < room, "{contact:?}");
        assert!(tangential.abs() <= contact.coefficient * normal * (1.0 + 1e-14), "{contact:?}");
        let against = tangential * contact.after[1];
        match contact.case {
            Contacting::Open => assert_eq!(contact.impulse, [0.0, 0.0]),
            Contacting::Stick if contact.coefficient > 0.0 => assert!(contact.after[1].abs() < room, "{contact:?}"),
            Contacting::Stick => assert_eq!(tangential, 0.0),
            Contacting::SlipForward | Contacting::SlipBackward => assert!(against <= room * normal, "{contact:?}"),
        }
    }
}

fn block(mu: f64) -> (Model, Values) {
    model(&format!(
        "[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"vx\", \"vy\"]\nM = {{ diagonal = [1, 1] }}\n\
         h = [\"-9.81*sin(pi/9)\", \"-9.81*cos(pi/9)\"]\n\
         [contacts.ground]\ngap = \"y\"\nrestitution = 0\nfriction = {{ law = \"coulomb\", mu = {mu} }}\ntrack = \"x\"\n\
         [start]\nx = 0\ny = 0\nvx = 2\nvy = 0\n"
    ))
}

#[test]
fn a_block_on_a_slope_slides_back_with_first_order() {
    let (slope, mu, g) = (std::f64::consts::PI / 9.0, 0.2, 9.81);
    let (up, down) = (g * (slope.sin() + mu * slope.cos()), g * (slope.sin() - mu * slope.cos()));
    let stop = 2.0 / up;
    assert!((stop - 0.3846971677).abs() < 1e-10);
    let until = 1.0;
    let right = 2.0 * stop - 0.5 * up * stop * stop - 0.5 * down * (until - stop) * (until - stop);
    let block = block(mu);
    // Steps in which the block stops after the same third, so that errors can be compared.
    let errors = [100.0, 400.0, 1600.0].map(|steps| {
        let motion = end(&block, stop / (steps + 1.0 / 3.0), until);
        assert_eq!(motion.mode_name(), "slip-:ground");
        (motion.state()[0] - right).abs()
    });
    for pair in errors.windows(2) {
        assert!((3.8..4.2).contains(&(pair[0] / pair[1])), "{errors:?}");
    }
    assert!(errors[2] < 1e-3 && errors[0] > 1e-4);
}

#[test]
fn a_block_on_a_rough_slope_stays_where_it_stops() {
    let block = block(0.5);
    let motion = end(&block, 1e-3, 1.0);
    assert_eq!(motion.mode_name(), "stick:ground");
    let deceleration = 9.81 * ((std::f64::consts::PI / 9.0).sin() + 0.5 * (std::f64::consts::PI / 9.0).cos());
    assert!((motion.state()[0] - 2.0 / deceleration).abs() < 2e-3);
    assert!(motion.state()[2].abs() < 1e-12);
}

fn ball(e: f64) -> (Model, Values) {
    model(&format!(
        "[mechanics]\ncoordinates = [\"y\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [-2]\n\
         [contacts.floor]\ngap = \"y\"\nrestitution = {e}\n[start]\ny = 1\nv = 0\n"
    ))
}

#[test]
fn a_ball_without_restitution_comes_to_rest() {
    let ball = ball(0.0);
    for step in [1e-2, 1e-3, 1e-4] {
        let motion = end(&ball, step, 2.0);
        assert_eq!(motion.mode_name(), "stick:floor");
        assert!(motion.state()[1].abs() < 1e-13);
        // It falls at 2, for half a step more than it should.
        assert!(motion.state()[0].abs() <= 2.0 * step && motion.solver().penetration <= 2.0 * step);
        assert!((motion.contacts()[0].impulse[0] - 2.0 * step).abs() < 1e-13);
    }
}

#[test]
fn a_bouncing_ball_bounces_with_first_order() {
    let ball = ball(0.5);
    // It falls for 1, and flies 0.7 of 1 from the floor at speed 1.
    let errors = [1e-2, 1e-3, 1e-4].map(|step| {
        let motion = end(&ball, step, 1.7);
        (motion.state()[0] - 0.21).abs().max((motion.state()[1] + 0.4).abs())
    });
    for (error, step) in errors.iter().zip([1e-2, 1e-3, 1e-4]) {
        assert!(*error < 4.0 * step, "{errors:?}");
    }
    let mut motion = Stepping::new(&ball.0, &ball.1, SteppingSettings::new(1e-4, 3.5)).unwrap();
    let mut impacts = Vec::new();
    while motion.advance() {
        if motion.contacts().iter().any(|c| c.impulse[0] > 0.1) {
            impacts.push(motion.time());
        }
    }
    for (found, right) in impacts.iter().zip([1.0, 2.0, 2.5, 2.75]) {
        assert!((found - right).abs() < 1e-3, "{impacts:?}");
    }
    assert!(impacts.len() >= 4 && motion.state()[0].abs() < 1e-3);
}

#[test]
fn a_spinning_disc_slips_and_then_rolls() {
    // Slip v + R w dies at 3 mu g, and the disc rolls at (2 v0 - R w0)/3.
    let disc = model(
        "[parameters]\nR = 0.5\n[mechanics]\ncoordinates = [\"x\", \"y\", \"p\"]\nvelocities = [\"vx\", \"vy\", \"w\"]\n\
         M = { diagonal = [2, 2, \"R^2\"] }\nh = [0, -20, 0]\n\
         [contacts.floor]\ngap = \"y - R\"\nrestitution = 0\nfriction = { law = \"coulomb\", mu = 0.1 }\n\
         track = \"x + R*p\"\n[start]\nx = 0\ny = 0.5\np = 0\nvx = 3\nvy = 0\nw = 2\n",
    );
    let stop = 4.0 / 3.0;
    let slipping = end(&disc, 1e-3, 0.9 * stop);
    assert_eq!(slipping.mode_name(), "slip+:floor");
    assert!((slipping.state()[3] - (3.0 - 0.9 * stop)).abs() < 1e-12);
    let rolling = end(&disc, 1e-3, 3.0);
    assert_eq!(rolling.mode_name(), "stick:floor");
    let speed = (2.0 * 3.0 - 0.5 * 2.0) / 3.0;
    assert!((rolling.state()[3] - speed).abs() < 1e-12 && (rolling.state()[5] + speed / 0.5).abs() < 1e-12);
    let right = 3.0 * stop - 0.5 * stop * stop + speed * (3.0 - stop);
    assert!((rolling.state()[0] - right).abs() < 1e-3);
}

#[test]
fn a_belt_takes_a_block_along() {
    let block = model(
        "[mechanics]\ncoordinates = [\"x\", \"y\"]\nvelocities = [\"vx\", \"vy\"]\nM = { diagonal = [1, 1] }\nh = [0, -10]\n\
         [contacts.belt]\ngap = \"y\"\nrestitution = 0\nfriction = { law = \"coulomb\", mu = 0.2 }\ntrack = \"x\"\nbelt = 1\n\
         [start]\nx = 0\ny = 0\nvx = 0\nvy = 0\n",
    );
    let slipping = end(&block, 1e-3, 0.25);
    assert_eq!(slipping.mode_name(), "slip-:belt");
    assert!((slipping.state()[2] - 0.5).abs() < 1e-12);
    let carried = end(&block, 1e-3, 2.0);
    assert_eq!(carried.mode_name(), "stick:belt");
    assert!((carried.state()[2] - 1.0).abs() < 1e-12 && (carried.state()[0] - 1.75).abs() < 1e-3);
}

#[test]
fn a_table_that_moves_carries_its_ball() {
    // The table accelerates by 0.9 g at most; its speed comes into the gap through the phase alone.
    let ball = model(
        "[phase.phi]\nrate = 3\nperiod = \"2*pi\"\n[mechanics]\ncoordinates = [\"y\"]\nvelocities = [\"v\"]\nM = [[3]]\nh = [-30]\n\
         [contacts.table]\ngap = \"y - sin(phi)\"\nrestitution = 0\n[start]\ny = 0\nv = 3\nphi = 0\n",
    );
    for step in [1e-2, 1e-3] {
        let motion = end(&ball, step, 2.0);
        assert_eq!(motion.mode_name(), "stick:table");
        // At 3 it is late by a step at most.
        assert!((motion.state()[0] - 6.0_f64.sin()).abs() < 3.0 * step, "{step}: {:?}", motion.state());
        assert!((motion.state()[1] - 3.0 * 6.0_f64.cos()).abs() < 9.0 * step);
        assert!((motion.state()[2] - 6.0).abs() < 1e-12);
    }
}

/// N balls in a row along z, with forces and starts as given.
fn row(count: usize, e: f64, force: f64, starts: &str) -> (Model, Values) {
    let list = |entry: &dyn Fn(usize) -> String| (0..count).map(entry).collect::<Vec<_>>().join(", ");
    let contacts: String =
        (1..count).map(|i| format!("[contacts.c{i}]\ngap = \"z{i} - z{} - 1\"\nrestitution = {e}\n", i - 1)).collect();
    model(&format!(
        "[mechanics]\ncoordinates = [{}]\nvelocities = [{}]\nM = {{ diagonal = [{}] }}\nh = [{}]\n\
         [contacts.floor]\ngap = \"z0 + 1\"\nrestitution = {e}\n{contacts}[start]\n{starts}",
        list(&|i| format!("\"z{i}\"")),
        list(&|i| format!("\"v{i}\"")),
        list(&|_| "2".to_string()),
        list(&|_| force.to_string()),
    ))
}

#[test]
fn two_balls_exchange_their_speeds() {
    let balls = row(2, 1.0, 0.0, "z0 = 0\nz1 = 1.5\nv0 = 1\nv1 = 0\n");
    let motion = end(&balls, 1e-3, 1.0);
    assert_eq!(motion.mode_name(), "flight");
    assert!(motion.state()[2].abs() < 1e-14 && (motion.state()[3] - 1.0).abs() < 1e-14);
    assert!((motion.state()[0] - 0.5).abs() < 1e-3 && (motion.state()[1] - 2.0).abs() < 1e-3);
}

#[test]
fn a_column_at_rest_carries_its_weight() {
    let count = 10;
    // A little inside each other, so that rounding does not open a gap.
    let place = |i: usize| i as f64 - 1.0 - 1e-10 * (i + 1) as f64;
    let start: String = (0..count).map(|i| format!("z{i} = {:.12}\nv{i} = 0\n", place(i))).collect();
    let column = row(count, 0.0, -20.0, &start);
    // Errors of impulses add up along the column: they are found to rounding.
    let settings = SteppingSettings { tolerance: 1e-13, ..SteppingSettings::new(1e-2, 1.0) };
    let mut motion = Stepping::new(&column.0, &column.1, settings).unwrap();
    while motion.advance() {
        laws_hold(&motion);
    }
    let force = |i: usize| motion.contacts()[i].impulse[0] / 1e-2;
    for i in 0..count {
        assert!((force(i) - 20.0 * (count - i) as f64).abs() < 1e-8, "{i}: {}", force(i));
        assert!((motion.state()[i] - place(i)).abs() < 1e-11 && motion.state()[count + i].abs() < 1e-11);
    }
    // Warm starts: only the first steps need many sweeps.
    let solver = motion.solver();
    assert!(solver.sweeps < 4 * solver.steps + 4 * solver.most_sweeps, "{solver:?}");
}

#[test]
fn a_box_rests_on_two_corners() {
    // More unknown impulses than speeds: velocities are unique, impulses are not.
    let text = |slope: f64| {
        format!(
            "[mechanics]\ncoordinates = [\"x\", \"y\", \"p\"]\nvelocities = [\"vx\", \"vy\", \"w\"]\nM = {{ diagonal = [1, 1, 0.5] }}\n\
             h = [{}, {}, 0]\n\
             [contacts.left]\ngap = \"y - 0.5*cos(p) - sin(p)\"\nrestitution = 0\n\
             friction = {{ law = \"coulomb\", mu = 0.3 }}\ntrack = \"x - cos(p) + 0.5*sin(p)\"\n\
             [contacts.right]\ngap = \"y - 0.5*cos(p) + sin(p)\"\nrestitution = 0\n\
             friction = {{ law = \"coulomb\", mu = 0.3 }}\ntrack = \"x + cos(p) + 0.5*sin(p)\"\n\
             [start]\nx = 0\ny = 0.5\np = 0\nvx = 0\nvy = 0\nw = 0\n",
            -10.0 * slope.sin(),
            -10.0 * slope.cos()
        )
    };
    for slope in [0.0, 0.2] {
        let resting = model(&text(slope));
        let motion = end(&resting, 1e-2, 1.0);
        assert_eq!(motion.mode_name(), "stick:left,stick:right");
        assert!(motion.state()[3..].iter().all(|v| v.abs() < 1e-9), "{:?}", motion.state());
        let sum = |k: usize| motion.contacts().iter().map(|c| c.impulse[k]).sum::<f64>();
        assert!((sum(0) - 0.1 * slope.cos()).abs() < 1e-8 && (sum(1) - 0.1 * slope.sin()).abs() < 1e-8);
    }
    let sliding = model(&text(0.5));
    let motion = end(&sliding, 1e-2, 1.0);
    let right = -10.0 * (0.5_f64.sin() - 0.3 * 0.5_f64.cos());
    assert!((motion.state()[3] - right).abs() < 1e-6 && motion.mode_name().matches("slip-").count() == 2);
}

/// Discs of radius 1/2, mass 1 and inertia 1/8 with friction between all pairs, and a floor if there is gravity.
fn discs(count: usize, e: f64, gravity: f64, start: &str) -> (Model, Values) {
    let all = |symbols: [&str; 3]| {
        let names = (0..count).flat_map(|i| symbols.map(|symbol| format!("\"{symbol}{i}\"")));
        names.collect::<Vec<_>>().join(", ")
    };
    let contact = |name: String, gap: String, track: String| {
        format!(
            "[contacts.{name}]\ngap = \"{gap}\"\nrestitution = {e}\n\
             friction = {{ law = \"coulomb\", mu = 0.3 }}\ntrack = \"{track}\"\n"
        )
    };
    let mut contacts = String::new();
    for i in 0..count {
        if gravity > 0.0 {
            contacts += &contact(format!("floor{i}"), format!("y{i} - 0.5"), format!("x{i} + 0.5*p{i}"));
        }
        for j in i + 1..count {
            contacts += &contact(
                format!("c{i}_{j}"),
                format!("sqrt((x{j} - x{i})^2 + (y{j} - y{i})^2) - 1"),
                format!("atan2(y{j} - y{i}, x{j} - x{i}) - 0.5*(p{i} + p{j})"),
            );
        }
    }
    let mass = vec!["1, 1, 0.125"; count].join(", ");
    let force = vec![format!("0, {}, 0", -gravity); count].join(", ");
    model(&format!(
        "[mechanics]\ncoordinates = [{}]\nvelocities = [{}]\nM = {{ diagonal = [{mass}] }}\nh = [{force}]\n\
         {contacts}[start]\n{start}",
        all(["x", "y", "p"]),
        all(["vx", "vy", "w"]),
    ))
}

#[test]
fn discs_that_meet_keep_their_momentum() {
    let start = "x0 = 0\ny0 = 0\np0 = 0\nvx0 = 3\nvy0 = 0.5\nw0 = 7\nx1 = 2\ny1 = 0.4\np1 = 0\nvx1 = -1\nvy1 = 0\nw1 = 2\n\
                 x2 = 3\ny2 = -1\np2 = 0\nvx2 = -2\nvy2 = 0\nw2 = -3\n";
    let three = discs(3, 0.7, 0.0, start);
    let motion = end(&three, 1e-4, 1.5);
    let (q, v) = motion.state().split_at(9);
    assert!(motion.solver().with_contact > 0 && v[2] != 7.0);
    let sum = |of: &dyn Fn(usize) -> f64| (0..3).map(of).sum::<f64>();
    assert!((sum(&|i| v[3 * i]) - 0.0).abs() < 1e-13 && (sum(&|i| v[3 * i + 1]) - 0.5).abs() < 1e-13);
    // Turning momentum to the depth to which discs enter each other.
    let turning = sum(&|i| q[3 * i] * v[3 * i + 1] - q[3 * i + 1] * v[3 * i] + 0.125 * v[3 * i + 2]);
    let before = 0.125 * 6.0 + 0.4 + (-2.0);
    assert!((turning - before).abs() < 1e-2, "{turning} {before}");
}

#[test]
fn a_heap_without_restitution_loses_energy() {
    let start: String = (0..6)
        .map(|i| {
            let (x, y) = ((i % 3) as f64 * 1.02 + 0.3 * (i / 3) as f64, 0.55 + 1.1 * (i / 3) as f64);
            format!("x{i} = {x}\ny{i} = {y}\np{i} = 0\nvx{i} = {}\nvy{i} = 0\nw{i} = 0\n", 0.3 - 0.1 * i as f64)
        })
        .collect();
    let heap = discs(6, 0.0, 10.0, &start);
    let step = 1e-3;
    let mut motion = Stepping::new(&heap.0, &heap.1, fine(step, 2.0)).unwrap();
    let energy = |x: &[f64]| {
        let (q, v) = x.split_at(18);
        let one = |i: usize| {
            let [vx, vy, w] = [v[3 * i], v[3 * i + 1], v[3 * i + 2]];
            0.5 * (vx * vx + vy * vy + 0.125 * w * w) + 10.0 * q[3 * i + 1]
        };
        (0..6).map(one).sum::<f64>()
    };
    let first = energy(motion.state());
    while motion.advance() {
        laws_hold(&motion);
        let gain = energy(motion.state()) - energy(motion.state_before());
        // The midpoint rule gives each impulse the mean of the speeds before and after: what it can gain is an impulse times a speed
        // that the weight takes away within the step.
        let room: f64 = motion
            .contacts()
            .iter()
            .map(|c| 0.5 * c.impulse[0] * c.before[0].max(0.0) + 0.5 * (c.impulse[1] * c.before[1]).max(0.0))
            .sum();
        assert!(gain <= room + 1e-9, "{gain} {room} at {}", motion.time());
    }
    assert_eq!(motion.solver().capped, 0);
    assert!(energy(motion.state()) < first - 1.0);
    // Nothing falls deeper than a step at the fastest speed, 4.7.
    assert!(motion.solver().penetration < 5.0 * step, "{:?}", motion.solver());
}

#[test]
fn steps_end_at_the_end_and_join() {
    let ball = ball(0.5);
    let mut motion = Stepping::new(&ball.0, &ball.1, SteppingSettings::new(0.3, 1.0)).unwrap();
    let mut last = (0.0, vec![1.0, 0.0]);
    let mut times = Vec::new();
    while motion.advance() {
        let after = motion.state().to_vec();
        let time = motion.time();
        let [first, second] = motion.pieces();
        let mut x = vec![0.0; 2];
        first.evaluate(0.0, &mut x);
        assert_eq!((first.start, &x), (last.0, &last.1));
        first.evaluate(first.length, &mut x);
        let mut y = vec![0.0; 2];
        second.evaluate(0.0, &mut y);
        assert!((x[0] - y[0]).abs() < 1e-15);
        second.evaluate(second.length, &mut y);
        assert!((y[0] - after[0]).abs() < 1e-15 && y[1] == after[1]);
        assert!((second.start + second.length - time).abs() < 1e-15);
        last = (time, after);
        times.push(time);
    }
    assert_eq!(times.len(), 4);
    assert_eq!(times[3], 1.0);
    let still = Stepping::new(&ball.0, &ball.1, SteppingSettings::new(0.3, 0.0)).map(|mut m| m.advance());
    assert_eq!(still, Ok(false));
}

#[test]
fn what_cannot_be_stepped_is_told() {
    let flow = model("[flow]\nx = \"-x\"\n[start]\nx = 1\n");
    let start = |(model, values): &(Model, Values), step| {
        Stepping::new(model, values, SteppingSettings::new(step, 1.0)).map(|_| ())
    };
    assert_eq!(start(&flow, 0.1), Err(SteppingError::Flow));
    let text = "[mechanics]\ncoordinates = [\"y\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [-2]\n[impacts]\nlaw = \"poisson\"\n\
                [contacts.floor]\ngap = \"y\"\nrestitution = 1\n[start]\ny = 1\nv = 0\n";
    assert_eq!(start(&model(text), 0.1), Err(SteppingError::Poisson));
    let ball = ball(1.0);
    for step in [0.0, -1.0, f64::INFINITY] {
        assert_eq!(start(&ball, step), Err(SteppingError::Step(step)));
    }
    assert!(matches!(start(&ball, f64::NAN), Err(SteppingError::Step(_))));
    assert!(matches!(start(&ball, 1e-300), Err(SteppingError::Steps(_))));
    let root = model(
        "[mechanics]\ncoordinates = [\"y\"]\nvelocities = [\"v\"]\nM = [[1]]\nh = [\"-sqrt(y)\"]\n[start]\ny = 1\nv = -2\n",
    );
    let mut motion = Stepping::new(&root.0, &root.1, SteppingSettings::new(0.01, 1.0)).unwrap();
    while motion.advance() {}
    let Some(Ended::NotFinite { quantity, formula }) = motion.ended() else { panic!("{:?}", motion.ended()) };
    assert_eq!((quantity.as_str(), formula.as_str()), ("the rate of v", "sqrt(y)"));
    assert!(motion.state().iter().all(|x| x.is_finite()) && motion.time() < 0.6);
}

/// A ball of Newton's cradle strikes four others at V = 0.1 sqrt(g/L): by Newton's law at all contacts together it comes back with -3V/5, and the others fly on together with
/// 2V/5. Between bodies of one velocity there is nothing to converge but rounding.
#[test]
fn bodies_that_fly_together_have_impulses() {
    let list = |entry: &dyn Fn(usize) -> String| (1..=5).map(entry).collect::<Vec<_>>().join(", ");
    let contacts: String =
        (1..5).map(|i| format!("[contacts.c{i}]\ngap = \"x{} - x{i}\"\nrestitution = 1\n", i + 1)).collect();
    let start: String = (1..=5).map(|i| format!("x{i} = {}\nv{i} = 0\n", if i == 1 { -0.1 } else { 0.0 })).collect();
    let cradle = model(&format!(
        "[mechanics]\ncoordinates = [{}]\nvelocities = [{}]\nM = {{ diagonal = [1, 1, 1, 1, 1] }}\nh = [{}]\n{contacts}[start]\n{start}",
        list(&|i| format!("\"x{i}\"")),
        list(&|i| format!("\"v{i}\"")),
        list(&|i| format!("\"-9.81/0.2*x{i}\"")),
    ));
    let mut motion = Stepping::new(&cradle.0, &cradle.1, SteppingSettings::new(1e-3, 0.226)).unwrap();
    while motion.advance() {}
    let solver = motion.solver();
    assert!(solver.capped == 0 && solver.residual <= 1e-6, "{solver:?}");
    let before = 0.1 * (9.81_f64 / 0.2).sqrt();
    for (i, speed) in motion.state()[5..].iter().enumerate() {
        let expected = if i == 0 { -0.6 * before } else { 0.4 * before };
        assert!((speed - expected).abs() < 1e-3, "{i}: {speed}, not {expected}");
    }
}

#[test]
fn a_solver_that_stalls_says_so() {
    let start: String = (0..10).map(|i| format!("z{i} = {}\nv{i} = 0\n", f64::from(i) - 1.0)).collect();
    let column = row(10, 0.0, -20.0, &start);
    let settings = SteppingSettings { most_sweeps: 3, ..SteppingSettings::new(1e-2, 0.02) };
    let mut motion = Stepping::new(&column.0, &column.1, settings).unwrap();
    while motion.advance() {}
    assert_eq!((motion.solver().capped, motion.solver().most_sweeps), (2, 3));
    assert!(motion.solver().residual > 1e-3);
}
