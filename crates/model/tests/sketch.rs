//! A sketch is read as it is written, and the rest of the model does not know of it.

use saltation_model::sketch::Link;
use saltation_model::{Model, gallery};

fn parse(text: &str) -> Model {
    Model::parse(text, "m.toml").unwrap_or_else(|mistakes| panic!("{mistakes}"))
}

const BODY: &str = "format = 1\nname = \"m\"\n[parameters]\nr = 0.5\nidle = 1\n[phase.phi]\nrate = 1\nperiod = 1\n\
    [definitions]\nfar = \"x + r\"\n[switches.side]\nwhen = \"x\"\n[mechanics]\ncoordinates = [\"x\"]\nvelocities = [\"v\"]\n\
    M = [[1]]\nh = [\"-side(side)\"]\n[start]\nx = 1\nv = 0\nphi = 0\n";

#[test]
fn all_forms_are_read() {
    // Formulas with corners, with the phase, and with definitions; a point with the name of a state; a table of its own for the points.
    let model = parse(&format!(
        "{BODY}[sketch]\nsegments = [[\"x\", \"B-2\"], {{ from = \"B-2\", to = \"x\" }}]\npolygons = [[\"x\", \"B-2\", \"C\"]]\n\
         discs = [{{ at = \"C\", radius = \"r\", turn = \"2*phi\" }}, {{ at = \"x\", radius = 0 }}]\narrows = [[\"C\", \"x\"]]\n\
         [sketch.points]\nx = [\"max(x, 0)\", \"far\"]\nB-2 = [\"side(side)\", 1]\nC = [\"abs(v)\", \"if(x < v, 1, 2)\"]\n"
    ));
    let sketch = model.sketch.as_ref().expect("it has one");
    assert_eq!(sketch.points.iter().map(|point| point.name.as_str()).collect::<Vec<_>>(), ["x", "B-2", "C"]);
    assert_eq!(sketch.segments, [Link { from: 0, to: 1 }, Link { from: 1, to: 0 }]);
    assert_eq!((&sketch.polygons[..], &sketch.arrows[..]), (&[vec![0, 1, 2]][..], &[Link { from: 2, to: 0 }][..]));
    // States x, v, phi, then parameters r and idle.
    let at = |node, numbers: [f64; 5]| sketch.graph.evaluate(node, &|symbol| numbers[symbol]);
    let numbers = [-2.0, -3.0, 0.25, 0.5, 1.0];
    let places: Vec<(f64, f64)> = sketch.points.iter().map(|p| (at(p.x, numbers), at(p.y, numbers))).collect();
    assert_eq!(places, [(0.0, -1.5), (-1.0, 1.0), (3.0, 2.0)]);
    assert_eq!((at(sketch.discs[0].radius, numbers), at(sketch.discs[0].turn.unwrap(), numbers)), (0.5, 0.5));
    assert!(sketch.discs[1].turn.is_none());
    assert_eq!((sketch.states.len(), sketch.parameters.len()), (3, 2));
    assert_eq!(model.unused, ["idle"]);
    assert!(model.places.contains_key("sketch.points.B-2.x") && model.places.contains_key("sketch.discs.0.turn"));
}

/// What moves is the same, node by node, with a sketch and without: motions cannot tell, to the last bit.
#[test]
fn motions_do_not_depend_on_it() {
    let mut drawn = 0;
    for name in gallery::NAMES {
        let text = gallery::find(name).expect("listed");
        let (with, without) = (parse(text), parse(text.split("\n[sketch]").next().expect("a part")));
        drawn += usize::from(with.sketch.is_some());
        assert!(without.sketch.is_none());
        assert_eq!(with.graph.len(), without.graph.len(), "{name}");
        let formulas = |model: &Model| {
            let nodes = model.contacts.iter().map(|contact| contact.gap).chain(model.rates());
            nodes.map(|node| (node, model.graph.print(node))).collect::<Vec<_>>()
        };
        assert_eq!(formulas(&with), formulas(&without), "{name}");
        assert_eq!(with.unused, without.unused, "{name}");
    }
    assert_eq!(drawn, 30);
}
